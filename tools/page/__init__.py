"""The page that shows a job at every stage: its data, the layout of its graph, and the file itself.

`data` collects the contents as plain JSON values. `document` puts them into one HTML file with the
scripts in this folder, which draw them and highlight what is pointed at.
"""

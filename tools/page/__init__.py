"""The page that shows a job at every stage: its data, the layout of its graph, and the file itself.

`data` collects what there is to say, in plain JSON values; `document` puts that into one HTML file
with the scripts beside it, which draw it and follow what is pointed at.
"""

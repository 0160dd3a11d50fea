"""Commands for what fails: repeat a failed pass, shrink a module, find what breaks a job."""

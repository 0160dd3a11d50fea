"""`flow.nn.Graph`: modules traced into jobs whose variables are the modules' own tensors."""

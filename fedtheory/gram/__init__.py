"""What abstract bodies run on: vectors as coefficient rows, inner products as affine forms, parameters as symbols."""

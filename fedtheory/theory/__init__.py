"""Constants, conditions and rates of the papers, once, as functions of the instance; one file a paper."""

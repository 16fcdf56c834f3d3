"""The lab: experiments of many units of work, on the processes of a machine or of a cluster."""

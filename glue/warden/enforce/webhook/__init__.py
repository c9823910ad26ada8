"""The admission webhook of Kubernetes: obtains the object, asks OPA, and answers with a patch or a denial."""

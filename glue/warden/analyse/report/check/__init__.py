"""Reports about files: one for people, the others for programs that mark lines of a pull request."""

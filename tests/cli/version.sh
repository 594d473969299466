btviz --version

package secret

// private says that a file's mode tells who may read it. Here the folder's rights do.
const private = false

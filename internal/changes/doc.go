// Package changes holds what a program changed in its box, and writes of it to the
// project what someone lets through.
//
// The program is the adversary: names, contents and the shape of folders are its own, and
// it may change them while they are read. So folders are gone through by descriptors and
// never behind a link, a content is read once, and what was read is what is shown and
// written.
package changes

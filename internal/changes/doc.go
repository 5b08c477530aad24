// Package changes holds the changes that a program made in its sandbox, and writes the
// approved ones to the project.
//
// The program is the adversary: it chooses names, contents and folders, and may change them
// during reading. So umpire opens folders by descriptor, follows no link, reads each content
// once, and shows and writes exactly what it read.
package changes

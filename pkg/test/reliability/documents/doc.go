// Package documents follows the pages for operators as a reader would: it runs their blocks of commands, in order and
// as they stand there, on real servers and programs, and looks up every command, file and variable that they name.
package documents

// Package record holds JSON records as the service sent them: the text of an
// object, scanned once, with the places of its fields. Nothing is retyped, so
// nothing is lost between an answer and what is printed: a number that comes as a
// string stays a string, and a field that the service adds is there.
//
// Parse returns the Record in a text, and a Reader those of a stream, in memory
// that does not grow with the stream. Record.Get looks a field up by its path,
// and Record.Decode fills a struct. Quote makes a JSON string.
package record

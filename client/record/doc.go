// Package record holds JSON records as the service sent them. A Record is the text of a JSON object together with the positions
// of its fields, which are found in one scan. Values are not converted, so nothing is lost between a response and the output: a
// number that the service sends as a string stays a string, and fields that the service adds later are kept.
//
// Parse returns the record in a text. A Reader returns the records of a stream, in memory that does not grow with the stream.
// Record.Get returns a field by its path, Record.Decode decodes a record into a struct, and Quote returns a JSON string.
package record

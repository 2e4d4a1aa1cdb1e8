// Package rows turns the records of an input file into rows that can be sent: it
// binds columns to the fields of a resource, checks values, finds rows that repeat
// or contradict each other, and walks what is left. It also writes files in the
// input's own format, so that what was rejected can be corrected and loaded again.
//
// Begin with Open, which takes a Schema: the resource, the use and the identity of
// the rows. Source.Validate is the first pass over the file, Source.Valid the second.
package rows

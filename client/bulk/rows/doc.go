// Package rows turns the records of an input file into rows that can be sent. It binds columns to the fields of a resource,
// checks values, and finds rows that repeat or contradict each other. A Writer writes rows in the input's own format, so
// that the user can correct rejected rows and load them again.
//
// Begin with Open, which takes a Schema: the resource, the use and the identity of the rows. Source.Validate makes the first
// pass over the file. Source.Valid makes the second one and yields the rows that can be sent.
package rows

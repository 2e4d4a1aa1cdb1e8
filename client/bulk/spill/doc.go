// Package spill keeps data that would take too much memory in a temporary file. It knows neither rows nor events: the data are
// records of bytes.
//
// Begin with Create. A File has several parts. The records that were appended to a part come back in the same order.
package spill

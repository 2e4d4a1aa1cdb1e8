// Package job keeps the state of bulk jobs on disk, so that a job that was killed
// can be resumed. A job is a table with a state for each row of its file. The table
// changes by events only, live as on a restart, and each event is in the job's
// write-ahead log: the table of a resumed job is the replay of its log.
//
// The package knows neither what a row holds nor how it is sent.
//
// Store.Begin resumes or creates a job; Job.Record changes its table, and Job.Sync
// makes the changes durable. Store.List and Store.Find read the jobs of a folder.
package job

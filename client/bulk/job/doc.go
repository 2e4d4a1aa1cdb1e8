// Package job keeps the state of bulk jobs on disk, so that a job that was killed
// can be resumed. A job is a table with a state for each row of its file. Only events
// change the table, and each event is written to the job's write-ahead log (package
// wal). To resume a job, its table is rebuilt by a replay of the log.
//
// The package knows neither the content of rows nor how they are sent.
//
// Store.Begin resumes or creates a job; Job.Record changes its table, and Job.Sync
// makes the changes durable. Store.List and Store.Find read the jobs of a folder.
package job

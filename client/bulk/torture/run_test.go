package torture_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"reseller/client/mock/fault"
)

// A tortureRun loads one file while faults happen. Everything except for the timing
// follows from the seed.
type tortureRun struct {
	seed             int64
	title            string
	input            inputFile
	batchSize        int
	concurrency      int
	noSkip           bool // only the log says what was sent: rows that exist are not skipped
	stdin            bool
	resumes          bool // later starts are `jobs resume`, not the same command
	timeout          time.Duration
	schedule         fault.Schedule
	kills            int  // the first starts that are killed or interrupted
	forget           bool // the log is removed after each kill
	expectDuplicates bool // repeated rows are what the run looks for
	firstStartOnly   bool // the first start must finish the job
	late             bool // lists are late, and so are writes whose connection has ended
	lateness         int  // of a late service: which lists are late
	alters           bool // the service stores some texts otherwise than they were sent
	disaster         *disaster
}

func (r tortureRun) String() string {
	return fmt.Sprintf("seed %d: %s, %s, %s", r.seed, r.input.name, cmp.Or(r.disaster.kind, "no disaster"), r.title)
}

const (
	firstFaultlessStart = 8  // from this start on there are no faults
	maxStarts           = 14 // the job must be finished by then
)

// newTortureRun returns the run of a seed.
func newTortureRun(seed int64, forget bool) tortureRun {
	random := rand.New(rand.NewPCG(uint64(seed), 3))
	r := tortureRun{
		seed: seed, batchSize: 1 + random.IntN(1+random.IntN(40)), concurrency: 1 + random.IntN(8), kills: 1 + random.IntN(3),
		noSkip: random.IntN(3) > 0 && seed%2 == 0, stdin: random.IntN(6) == 0, resumes: random.IntN(4) == 0, timeout: time.Minute, forget: forget,
	}
	share, kinds := []float64{0.02, 0.05, 0.1, 0.2, 0.3}[random.IntN(5)], []string{"all"}
	if random.IntN(2) == 0 {
		kinds = nil
		for range 1 + random.IntN(4) {
			kinds = append(kinds, faultNames()[random.IntN(len(faultKinds))])
		}
	}
	if seed < 1000 { // the runs of CI are short
		share, r.kills, r.batchSize = min(share, 0.1), min(r.kills, 2), r.batchSize+9
	}
	if random.IntN(5) == 0 {
		r.timeout = 700 * time.Millisecond // delayed responses take longer
	}
	if forget {
		r.noSkip, share = true, 0
	}
	changes, keywords := 15+random.IntN(35), 60+random.IntN(240)
	if r.late = *tortureLate && !forget; r.late { // which takes minutes however small the file is
		changes, keywords, r.lateness = changes/3, keywords/6, random.IntN(numLatenesses)
	}
	switch n := random.IntN(15); {
	case r.late && n == 0:
		r.input = customerFile(random, 2+random.IntN(5), 0)
	case r.late && n == 1:
		r.input = portfolioFile(random, 4+random.IntN(4), 0, random.IntN(2) == 0)
	case (seed%8 == 2 || *torturePortfolio) && !forget && !r.late:
		r.input = portfolioFile(random, 4+random.IntN(8), random.IntN(2), random.IntN(2) == 0)
	case (seed%4 == 0 || *tortureCustomers) && !forget && !r.late:
		r.input = customerFile(random, 4+random.IntN(12), random.IntN(3))
	case n < 5 || forget:
		r.input = keywordFile(random, keywords, random.IntN(3))
	case n < 7:
		r.input = accountFile(random, changes)
	case n < 9:
		r.input = credentialsFile(random, changes)
	case n < 11:
		r.input = keywordUpdatesFile(random, 4*changes, random.IntN(3))
	case n < 12:
		r.input = keywordDeletesFile(4*changes, random.IntN(3))
	case n < 13:
		r.input = statusFile(random, changes, random.IntN(3))
	case n < 14:
		r.input = accountUpdatesFile(random, changes, random.IntN(3))
	default:
		r.input = notesFile(random, changes, random.IntN(3))
	}
	r.disaster = &disaster{}
	if !forget {
		r.disaster = newDisaster(random, r.input.readable)
	}
	if r.late && r.disaster.kind != "" {
		r.disaster.kind, r.disaster.late = jumpingClock, true // the others need no late service
	}
	if r.input.earlier != nil {
		r.stdin, r.resumes = false, false
		if r.disaster.damages() || r.disaster.kind == twoProcesses {
			r.disaster.kind = "" // without the journal of the earlier file, nothing says that its calls may be under way
		}
	}
	if r.disaster.damages() || r.disaster.kind == twoProcesses {
		r.noSkip = false // a new job must skip the rows that exist
	}
	r.alters = r.input.name == "keywords" && !forget && !r.disaster.damages() && seed%3 > 0
	r.schedule = newSchedule(seed, share, kinds...)
	r.title = fmt.Sprintf("%d rows, batch size %d, concurrency %d, %d kills, no skip %t, %.0f %% %s",
		len(r.input.rows), r.batchSize, r.concurrency, r.kills, r.noSkip, 100*share, strings.Join(kinds, " "))
	return r
}

// tortureSettleTime is longer than the service takes for what it carries out late.
const tortureSettleTime = 3 * time.Second

// A programStart is one start of the program and how it ended.
type programStart struct {
	n              int
	exit           int // the exit code, -1 for killed
	stdout, stderr bytes.Buffer
	summary        struct {
		Job                                            string
		Rows, Sent, Present, Differs, Refused, Unknown int
	}
}

// run starts the program until the job is done, and compares what the service stores
// with the file.
func (r tortureRun) run(t *testing.T, program string) (found totals, err error) {
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	if reason, err := r.disaster.prepare(state); err != nil {
		return found, err
	} else if reason != "" {
		t.Logf("%v: skipped the disaster: %s", r, reason)
	}
	defer func() {
		err = errors.Join(err, r.disaster.remove())
		_ = os.RemoveAll(dir) // thousands of runs would fill the disk
	}()
	s, err := newTortureService(r, filepath.Join(dir, "mock.db"))
	if err != nil {
		return found, err
	}
	server := httptest.NewUnstartedServer(s)
	server.Config.ConnState = s.countConnections
	server.Start()
	defer server.Close()
	found.Runs, found.Rows = 1, len(r.input.rows)
	var trace strings.Builder
	var before *programStart
	wait, err := r.startSingles(t.Context(), program, dir, server.URL, &trace)
	defer wait()
	if err != nil {
		return found, err
	}
	for n := 1; ; n++ {
		file, isEarlier := r.input.file, n == 1 && r.input.earlier != nil
		if isEarlier {
			file = r.input.earlier
		}
		err := errors.Join(os.WriteFile(filepath.Join(dir, "input."+r.input.format), file, 0o600), r.disaster.begin(n))
		if err != nil {
			return found, err
		}
		last, err := r.start(t.Context(), program, dir, server.URL, n, before, s)
		err = errors.Join(err, r.disaster.end(n), r.disaster.check(last))
		if found.Starts++; last.exit == 9 { // a command without a file has a row of the load
			wait()
		}
		stored := r.input.stored(s)
		fmt.Fprintf(&trace, "start %d: exit code %d, %d of %d writes stored, %+v, %s", n, last.exit, len(stored), len(r.input.rows), last.summary, &last.stderr)
		switch {
		case last.exit == 130:
			found.Interrupts++
		case last.exit == -1 && len(stored) > 0 && len(stored) < r.input.validRows():
			found.Kills++
		case last.exit == -1:
			found.Missed++
		}
		secrets, secretErr := s.findSecrets(state)
		found.Secrets += secrets
		done, doneErr := r.isDone(last, stored)
		if n == r.disaster.start && r.disaster.kind != "" && !r.disaster.damages() {
			s.faults[fmt.Sprintf("%s (exit code %d)", r.disaster.kind, last.exit)]++
		}
		// What two starts could not find out, no other will.
		done = done || before != nil && last.exit == 3 && before.exit == 3 && last.summary == before.summary
		if before = last; isEarlier {
			before, done = nil, false
		}
		if err = errors.Join(err, secretErr, doneErr); err == nil && !done && n == maxStarts {
			err = fmt.Errorf("the job is not finished after %d starts", maxStarts)
		}
		if err == nil && !done {
			// If the job was finished when the program was killed, the next start creates a
			// new job. Its log is empty, so it must skip the rows that exist.
			r.noSkip = r.noSkip && (r.forget || last.exit != 3 && len(stored) < r.input.validRows())
			switch {
			case last.exit != -1:
			case r.forget:
				err = os.RemoveAll(state)
			case r.disaster.damages():
				s.finishCalls()
				if err = r.disaster.damage(n); r.disaster.isDamaged {
					s.faults[r.disaster.kind] = 1
				}
			default:
				err = s.tearLog(state)
			}
			if err == nil {
				continue
			}
		}
		s.finishCalls()
		err = errors.Join(err, r.compare(&found, last, r.input.stored(s), strings.Contains(trace.String(), "stored twice")), last.checkUnknown(state))
		found.Requests, found.Faults = s.requests, s.faults
		if err != nil {
			for _, path := range filesOfRows(state, "*.rejects.*") {
				text, _ := os.ReadFile(path)
				fmt.Fprintf(&trace, "%s: %.2000s", filepath.Base(path), text)
			}
			err = fmt.Errorf("%w\n%s", err, &trace)
		}
		return found, err
	}
}

func environ(dir, url string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "RESELLER_BASE_URL=" + url, "RESELLER_USERNAME=reseller1", "RESELLER_PASSWORD=mock"}
	for _, place := range []string{"CONFIG", "DATA", "CACHE", "STATE"} {
		env = append(env, "XDG_"+place+"_HOME="+filepath.Join(dir, strings.ToLower(place)))
	}
	return env
}

// startSingles runs the commands without a file, of which some are killed. The last one still runs when startSingles returns, once it
// has remembered what it writes, and is awaited by wait.
func (r tortureRun) startSingles(ctx context.Context, program, dir, url string, trace *strings.Builder) (wait func(), err error) {
	wait = func() {}
	if r.noSkip || r.forget || r.firstStartOnly || !slices.Contains([]string{"", stopped, twoProcesses, jumpingClock}, r.disaster.kind) {
		return wait, nil
	}
	random := rand.New(rand.NewPCG(uint64(r.seed), 5))
	remembered := func() (size int64) {
		logs, _ := filepath.Glob(filepath.Join(dir, "state", "reseller", "jobs", ".acknowledged-single.*"))
		for _, log := range logs {
			if info, err := os.Stat(log); err == nil {
				size += info.Size()
			}
		}
		return size
	}
	for i, args := range r.input.singles {
		args = append([]string{"--no-input", "--yes", "--timeout", r.timeout.String()}, args...)
		if !r.late {
			args = append(args, "--settle-time", tortureSettleTime.String())
		}
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env, cmd.Stderr = environ(dir, url), &out
		before, ended := remembered(), make(chan struct{})
		if err := cmd.Start(); err != nil {
			return wait, err
		}
		go func() {
			defer close(ended)
			_ = cmd.Wait()
		}()
		kills := random.IntN(2) == 0
		for isEarly := true; isEarly && (kills || i == len(r.input.singles)-1); {
			select {
			case <-ended:
				isEarly = false
			case <-time.After(time.Millisecond):
				isEarly = remembered() == before
			}
		}
		if kills {
			time.AfterFunc(time.Duration(random.IntN(8))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
		wait = func() { <-ended }
		if i < len(r.input.singles)-1 {
			<-ended
			fmt.Fprintf(trace, "%v: exit code %d, %s", args, cmd.ProcessState.ExitCode(), &out)
		}
	}
	return wait, nil
}

// start runs the program once, until it ends or is killed. before is the start before, nil
// for the first one. If two processes are started, the one counts that worked last.
func (r tortureRun) start(ctx context.Context, program, dir, url string, n int, before *programStart, s *tortureService) (*programStart, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	env := environ(dir, url)
	both := n == r.disaster.start && r.disaster.kind == twoProcesses
	job := unfinishedJob(ctx, program, env, n > 1 && (r.resumes || both))
	args := r.args(dir, job)
	if before != nil && strings.Contains(before.stderr.String(), isCorrupt) {
		args = append(r.args(dir, ""), "--restart")
	}
	line := r.disaster.command(n, program, args)
	starts := []*programStart{{n: n}}
	if both && (n == 1 || job != "") {
		starts = append(starts, &programStart{n: n})
	}
	var cmds []*exec.Cmd
	for _, one := range starts {
		cmd := exec.CommandContext(ctx, line[0], line[1:]...)
		cmd.Env, cmd.Stdout, cmd.Stderr = r.disaster.environ(n, env), &one.stdout, &one.stderr
		if r.stdin {
			cmd.Stdin = bytes.NewReader(r.input.file)
		}
		cmds = append(cmds, cmd)
	}
	if err := s.startProgram(n, cmds...); err != nil {
		return starts[0], err
	}
	var last *programStart
	for i, one := range starts {
		_ = cmds[i].Wait()
		one.exit = cmds[i].ProcessState.ExitCode()
		_ = json.Unmarshal(one.stdout.Bytes(), &one.summary) // it is missing if the program was killed
		if last == nil || last.exit == 9 || one.exit != 9 && last.exit != 0 {
			last = one // 9: the other process works on the job
		}
		if text := one.stderr.String(); strings.Contains(text, "panic") || strings.Contains(text, "goroutine ") {
			return last, fmt.Errorf("the program panics: %s", text)
		}
	}
	switch {
	case ctx.Err() != nil:
		return last, errors.New("the program hangs")
	case last.exit == 2 && s.countWrites() > 0:
		return last, errors.New("exit code 2 after writes, although it means that nothing was sent")
	}
	return last, nil
}

// args returns the arguments of a start that loads the file, or resumes a job.
func (r tortureRun) args(dir, job string) []string {
	args := []string{"-o", "json", "--no-input", "--yes"}
	if job != "" {
		return append(append(args, "jobs", "resume", job), r.input.rateArgs...)
	}
	args = append(args, r.input.rateArgs...)
	args = append(args, r.input.command...)
	args = append(args, "--timeout", r.timeout.String(), "--batch-size", strconv.Itoa(r.batchSize), "--concurrency", strconv.Itoa(r.concurrency))
	if !r.late {
		args = append(args, "--settle-time", tortureSettleTime.String())
	}
	if r.noSkip && r.input.skips {
		args = append(args, "--no-skip-existing")
	}
	if r.stdin {
		return append(args, "--file", "-", "--input-format", r.input.format)
	}
	return append(args, "--file", filepath.Join(dir, "input."+r.input.format))
}

// unfinishedJob returns the id of the unfinished job, empty if there is none or it is not
// wanted.
func unfinishedJob(ctx context.Context, program string, env []string, wanted bool) string {
	if !wanted {
		return ""
	}
	cmd := exec.CommandContext(ctx, program, "jobs", "list", "-o", "json")
	cmd.Env = env
	out, _ := cmd.Output()
	var jobs []struct{ Job, State string }
	_ = json.Unmarshal(out, &jobs)
	for _, j := range jobs {
		if j.State != "finished" {
			return j.Job
		}
	}
	return ""
}

// isDone reports whether no further start is needed. An exit code that the run must not
// end with is an error.
func (r tortureRun) isDone(last *programStart, stored map[string]int) (bool, error) {
	switch {
	case last.exit == 0, last.exit == 3 && last.summary.Unknown == 0:
		return true, nil
	case last.exit == 3 && !r.input.readable:
		return true, nil // the rows are reported as unknown, and a person decides
	case last.exit == 3 && r.input.rowOf != nil && r.input.allReadBack(stored):
		return true, nil // the unknown rows can't be read back
	case r.disaster.mayFail(last.n, last):
		return false, nil
	case r.firstStartOnly:
		return true, fmt.Errorf("exit code %d", last.exit)
	case last.exit == 2 && r.input.name == "portfolio" && (strings.Contains(last.stderr.String(), "does not list account") || strings.Contains(last.stderr.String(), "run the command again")): // a list lacks accounts
		return false, nil
	case last.exit == 1 && (strings.Contains(last.stderr.String(), "jobs resume") || strings.Contains(last.stderr.String(), "can't be read")): // a list, maybe before there was a job
		return false, nil
	case last.exit == -1, last.exit == 3, last.exit == 4, last.exit == 7, last.exit == 9, last.exit == 130:
		return false, nil
	}
	return true, fmt.Errorf("exit code %d", last.exit)
}

// filesOfRows returns the files of rows whose names match the pattern: they are beside the input, or the journal if it
// can't have files beside it.
func filesOfRows(state, pattern string) []string {
	beside, _ := filepath.Glob(filepath.Join(filepath.Dir(state), "input."+pattern))
	inState, _ := filepath.Glob(filepath.Join(state, "reseller", "jobs", pattern))
	return append(beside, inState...)
}

// checkUnknown checks that the last start has named each unknown row, and a command that ends the doubt.
func (p *programStart) checkUnknown(state string) error {
	if p.exit != 3 || p.summary.Unknown == 0 {
		return nil
	}
	paths := filesOfRows(state, p.summary.Job+".unknown.*")
	if len(paths) != 1 {
		return fmt.Errorf("%d rows are unknown, and %d files name them", p.summary.Unknown, len(paths))
	}
	file, err := os.Open(paths[0])
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	rows := 0
	if strings.HasSuffix(paths[0], ".csv") {
		records, readErr := csv.NewReader(file).ReadAll()
		rows, err = len(records)-1, readErr
	} else {
		for in := json.NewDecoder(file); err == nil; {
			var row struct{ Error string }
			if err = in.Decode(&row); err == nil && row.Error != "" {
				rows++
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if _, hint, ok := strings.Cut(p.stderr.String(), "hint: "); err == nil && (rows < p.summary.Unknown || !ok || !strings.Contains(hint, "`reseller ") && !strings.Contains(hint, "the same command")) {
		err = fmt.Errorf("%d rows are unknown, and %s names %d; the hint is %q", p.summary.Unknown, filepath.Base(paths[0]), rows, hint)
	}
	return err
}

// compare checks that the service stores each valid row of the file once, and no other. told says that the program has
// told that rows may be stored twice, since it had no witness for the list that did not show them.
func (r tortureRun) compare(found *totals, last *programStart, stored map[string]int, told bool) error {
	found.Unknown = last.summary.Unknown
	lost, wrong, lostRows, invalid := []string{}, []string{}, map[string]bool{}, len(r.input.rows)-r.input.validRows()
	for key, valid := range r.input.rows {
		switch n := stored[key]; {
		case !valid && n > 0:
			wrong = append(wrong, key+" is stored although it is invalid")
		case valid && n == 0 && r.disaster.isDamaged && r.disaster.kind == cutJournal && r.input.needsJournal[key]:
		case valid && n == 0:
			lost = append(lost, key)
			lostRows[cmp.Or(r.input.rowOf[key], key)] = true
		case n > 1 && told:
			found.Told += n - 1
		case n > 1:
			found.Twice += n - 1
			wrong = append(wrong, fmt.Sprintf("%s is stored %d times", key, n))
		}
	}
	for key := range stored {
		if _, ours := r.input.rows[key]; !ours {
			wrong = append(wrong, key+" is not in the file")
		}
	}
	unknown := last.summary.Unknown
	if r.input.rowOf != nil {
		unknown += invalid // the steps behind a refused one are unknown too; the rejects file says so
	}
	if len(lostRows) > unknown {
		found.Lost = len(lostRows) - unknown
		wrong = append(wrong, fmt.Sprintf("lost: %v", lost))
	}
	refused := last.summary.Refused
	if last.exit != -1 && (refused > invalid || refused+last.summary.Unknown < invalid) || last.exit == 0 && invalid+last.summary.Unknown > 0 {
		wrong = append(wrong, fmt.Sprintf("exit code %d, %d refused, %d unknown; %d rows are invalid", last.exit, last.summary.Refused, last.summary.Unknown, invalid))
	}
	if len(wrong) == 0 || r.expectDuplicates {
		return nil
	}
	return errors.New(strings.Join(wrong[:min(len(wrong), 12)], "\n"))
}

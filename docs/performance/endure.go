//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"reseller/client/mock/api"
	"reseller/client/mock/fault"
)

const (
	failRate      = 0.02
	tokenLifetime = time.Minute
	keywordText   = "red running shoes "
	firstCampaign = 101
)

// failures are the faults of the service. Stale lists are not among them: to make one, the
// middleware decodes the list, which takes minutes with millions of records.
var failures = []string{
	"reset-before", "reset-after", "500-before", "500-after", "502-before", "502-after", "503-before", "503-after", "503-html", "503-html-after",
	"503-wait", "429", "429-wait", "late", "late-reset", "half", "fold", "cut", "garbled", "page", "slow", "expire",
}

// endure loads keywords into a service that fails, whose tokens last a minute, compares
// what the service stored with the file, and exports a report of each campaign.
func endure(ctx context.Context, out io.Writer, rows, campaigns int, program string) error {
	s := &unreliable{campaigns: campaigns, copies: make([]uint8, rows), tokens: map[string]time.Time{}}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	handler, err := s.handler()
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, handler) }()
	dir, err := os.MkdirTemp("", "endure")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file, url := filepath.Join(dir, "keywords.csv"), "http://"+listener.Addr().String()
	if err := writeKeywords(file, rows, campaigns); err != nil {
		return err
	}
	seen := map[string]int{} // by campaign: the rows of its report
	run := func(arguments string) error {
		debug.FreeOSMemory() // the peak of a process is at least the memory of the one that starts it
		begin := time.Now()
		c := exec.CommandContext(ctx, program, strings.Fields(arguments+" --base-url "+url)...)
		c.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "RESELLER_TOKEN_COMMAND=curl -s "+url+"/token")
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		err := c.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return err
		}
		used := resultOf(c.ProcessState, time.Since(begin))
		fmt.Fprintf(out, "%s\nexit %d, %.1f s, %.1f s of processor time, %.1f MB\n%s", arguments, c.ProcessState.ExitCode(),
			used.wall.Seconds(), used.cpu.Seconds(), float64(used.peak)/1024, lastLines(stderr.String(), 3))
		s.report(out)
		if !strings.HasPrefix(arguments, "reports") {
			_, err = out.Write(stdout.Bytes())
			return err
		}
		for i, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n") {
			if cells := strings.SplitN(line, ",", 3); i > 0 && len(cells) == 3 {
				seen[cells[1]]++
			}
		}
		twice := 0
		for _, n := range seen {
			if n > 1 {
				twice++
			}
		}
		_, err = fmt.Fprintf(out, "%d campaigns, %d missing, %d several times\n", len(seen), campaigns-len(seen), twice)
		return err
	}
	if err := run("keywords add --account 1 --type target -q -o ndjson --file " + file); err != nil {
		return err
	}
	failed := filepath.Join(dir, "failed.csv")
	if err := run("reports keywords --all -q -o csv --failures " + failed); err != nil {
		return err
	}
	return run("reports keywords -q -o csv --file " + failed)
}

// lastLines returns the last lines of a text.
func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-1-n):], "")
}

// writeKeywords writes a file of keywords, whose campaigns take turns.
func writeKeywords(path string, rows, campaigns int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(file)
	_, _ = b.WriteString("campaign_id,keyword\n")
	for i := range rows {
		fmt.Fprintf(b, "%d,%s%d\n", firstCampaign+i%campaigns, keywordText, i)
	}
	return errors.Join(b.Flush(), file.Close())
}

// An unreliable service stores keywords that end with their row.
type unreliable struct {
	campaigns int

	mu       sync.Mutex
	copies   []uint8              // by row: how many times it is stored
	strange  int                  // keywords that are no row, or in the wrong campaign
	tokens   map[string]time.Time // until when they are valid
	requests int
	faults   int
}

// handler returns the service with its faults, and beside it the path that issues tokens.
func (s *unreliable) handler() (http.Handler, error) {
	schedule, err := fault.NewSchedule(1, failRate, failures...)
	if err != nil {
		return nil, err
	}
	counted := func(n int, method, path string) fault.Fault {
		f := schedule(n, method, path)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.requests++; f != (fault.Fault{}) {
			s.faults++
		}
		return f
	}
	mux := http.NewServeMux()
	mux.Handle("/", fault.New(fault.Options{Latency: latency, Schedule: counted, Now: time.Now}).Handler(s.respond))
	mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		token := "token-" + strconv.Itoa(len(s.tokens))
		s.tokens[token] = time.Now().Add(tokenLifetime)
		fmt.Fprint(w, token)
	})
	return mux, nil
}

// respond is the service without faults.
func (s *unreliable) respond(_ context.Context, q api.Request) api.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !time.Now().Before(s.tokens[strings.TrimPrefix(q.Authorization, "Bearer ")]) {
		return api.Refusal(api.Unauthorized())
	}
	switch {
	case q.Path == "/api/v1/keywords" && q.Method == http.MethodPost:
		return s.store(q.Body)
	case q.Path == "/api/v1/keywords":
		return api.SuccessJSONList(s.eachKeyword)
	case q.Path == "/api/v1/campaigns":
		return api.SuccessJSONList(func(visit func([]byte)) {
			for i := range s.campaigns {
				visit(fmt.Appendf(nil, `{"campaign_id":%d,"account_id":1,"campaign_name":"Campaign %d","campaign_stage_id":5}`, firstCampaign+i, i))
			}
		})
	}
	return api.SuccessJSON([]byte(`[{"keyword":"red shoes","type":"target","rank_id":1,"rank_google_organic":3,"rank_google_map":999,"search_total":10,"histogram":[]}]`), 1)
}

func (s *unreliable) store(body []byte) api.Response {
	var batch struct {
		CampaignID int `json:"campaign_id"`
		Keywords   []struct {
			Keyword string `json:"keyword"`
		} `json:"keywords"`
	}
	if err := json.Unmarshal(body, &batch); err != nil {
		return api.Refusal(api.BadRequest(err.Error()))
	}
	for _, k := range batch.Keywords {
		row, err := strconv.Atoi(strings.TrimPrefix(k.Keyword, keywordText))
		if err != nil || row >= len(s.copies) || batch.CampaignID != firstCampaign+row%s.campaigns {
			s.strange++
			continue
		}
		s.copies[row]++
	}
	return api.SuccessJSON(fmt.Appendf(nil, `{"account_id":1,"campaign_id":%d,"keyword":"","keyword_type":"target"}`, batch.CampaignID), 1)
}

// eachKeyword calls visit with each stored keyword. A record is valid until visit returns.
func (s *unreliable) eachKeyword(visit func(record []byte)) {
	var b []byte
	for row, n := range s.copies {
		for range n {
			b = append(strconv.AppendInt(append(b[:0], `{"rank_id":`...), int64(row+1), 10), `,"account_id":1,"campaign_id":`...)
			b = append(strconv.AppendInt(b, int64(firstCampaign+row%s.campaigns), 10), `,"keyword":"`+keywordText...)
			visit(append(strconv.AppendInt(b, int64(row), 10), `","type":"target","status":1,"rank_google_organic":1,"rank_google_map":999}`...))
		}
	}
}

// report prints what the service stored and how it failed.
func (s *unreliable) report(out io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	once, twice := 0, 0
	for _, n := range s.copies {
		switch {
		case n == 1:
			once++
		case n > 1:
			twice++
		}
	}
	fmt.Fprintf(out, "%d requests, %d faults, %d tokens; %d rows stored once, %d missing, %d several times, %d strange\n",
		s.requests, s.faults, len(s.tokens), once, len(s.copies)-once-twice, twice, s.strange)
}

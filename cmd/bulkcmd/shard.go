package bulkcmd

import (
	"strconv"
	"strings"

	"reseller/client/bulk/rows"
	"reseller/cmd/cli"
)

const maxShards = 10_000

// A shardVariables names the environment variables in which a system tells each of several
// machines which one it is.
type shardVariables struct {
	index, count string
	first        string // holds the index of the first machine; empty if no variable does
	from         int    // the index of the first machine, unless the variable first says otherwise
}

// shardSystems are the variables of --shard auto. The first index that is set counts.
var shardSystems = []shardVariables{
	{index: "JOB_COMPLETION_INDEX", count: "RESELLER_SHARDS"}, // an Indexed Job of Kubernetes
	{index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", from: 1}, // GitLab
	{index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"},
	{index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"},
	{index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN"},
}

func environmentShard(session *cli.Session) (rows.Shard, error) {
	var indexes []string
	for _, system := range shardSystems {
		indexes = append(indexes, system.index)
		if text, _ := session.Env(system.index); text != "" {
			return system.shard(session, text)
		}
	}
	return rows.Shard{}, cli.Usagef("--shard auto: none of %s is set", strings.Join(indexes, ", ")).Hinted("name the shard: --shard I/N")
}

func (s shardVariables) shard(session *cli.Session, index string) (rows.Shard, error) {
	text, _ := session.Env(s.count)
	if text == "" {
		return rows.Shard{}, cli.Usagef("--shard auto: %s is set, but %s is not", s.index, s.count)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxShards {
		return rows.Shard{}, cli.Usagef("--shard auto: %s is %q, which is not a number from 1 to %d", s.count, text, maxShards)
	}
	from := s.from
	if text, _ := session.Env(s.first); text != "" {
		if from, err = strconv.Atoi(text); err != nil || from < 0 {
			return rows.Shard{}, cli.Usagef("--shard auto: %s is %q, which is not a number from 0", s.first, text)
		}
	}
	i, err := strconv.Atoi(index)
	if err != nil || i < from || i-from >= n {
		return rows.Shard{}, cli.Usagef("--shard auto: %s is %q, which is not a number from %d to %d (%s is %d)", s.index, index, from, from+n-1, s.count, n)
	}
	session.Note("this machine loads shard %d/%d, by %s and %s", i-from+1, n, s.index, s.count)
	return rows.Shard{I: i - from + 1, N: n}, nil
}

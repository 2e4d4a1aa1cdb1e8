#!/bin/sh
# Prints, as markdown, what a change of the files would do to the service: the comment of a
# pull request. The plan is kept, so that what is applied later is what was reviewed.
set -eu
reseller diff --file "${1:-customers}" --plan-file plan.json -o markdown

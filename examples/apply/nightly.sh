#!/bin/sh
# Tells whether the service still is as the files say. Ends with 8 if somebody has changed
# it in another way, so that the scheduler reports the run as failed.
set -eu
reseller diff --file "${1:-customers}" --exit-code

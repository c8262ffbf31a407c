#!/bin/sh
# Waits for the server and makes the namespace, where it is missing.
set -eu

until temporal operator cluster health --address "$TEMPORAL_ADDRESS"; do sleep 2; done
temporal operator namespace describe --address "$TEMPORAL_ADDRESS" -n "$NAMESPACE" ||
  temporal operator namespace create --address "$TEMPORAL_ADDRESS" -n "$NAMESPACE" --retention 72h

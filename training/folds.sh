#!/bin/sh
# All folds and the whole at once on one GPU: training/folds.sh OUT [options of training.train]
out=$1; shift
nvidia-cuda-mps-control -d 2>/dev/null
for fold in 0 1 2 3; do
    python3 -u -m training.train --out "$out" --fold $fold "$@" &
done
python3 -u -m training.train --out "$out" "$@" &
wait
cat "$out"/judged-?.json.gz > "$out"/judged-folds.json.gz
rm -f "$out"/judged-?.json.gz

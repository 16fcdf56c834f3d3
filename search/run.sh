timeout 300 tapeline judge search/$1.json --json | python -c "
import json,sys
d=json.load(sys.stdin); print(d['judged'],d['as_expected'],d.get('errors'))
for c in d['cases']:
  for s in c['steps']:
    if s['wrong']: print(c['id'],s['step'],s['wrong'],'|',json.dumps([(f['clause'],f['text'],f.get('place')) for f in s['verdict'].get('findings',[])])[:600], s['verdict'].get('values'), s['verdict'].get('cites'))"

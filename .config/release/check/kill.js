// Kills a server by SIGKILL while it is used, and compares the shop with what was acknowledged.

/** Bash that serves a shop, sends orders, kills the server in between, and fails if an acknowledged order is missing. */
export const killAndDoctor = `
export PETSTORE_STORE=/root/kill.db PETSTORE_ACTOR=ana
petstore init --sample > /dev/null
petstore inventory set 3 100000 --yes > /dev/null
acknowledged=0
for round in 1 2 3; do
  petstore serve --port 8090 > /dev/null 2>&1 &
  server=$!
  until curl -sf http://127.0.0.1:8090/livez > /dev/null; do sleep 0.05; done
  ( sleep 1; kill -9 $server ) &
  while answer=$(curl -sf -X POST http://127.0.0.1:8090/store/orders -H 'Content-Type: application/json' -d '{"petId":3,"quantity":1}'); do
    acknowledged=$((acknowledged + 1))
  done
  wait $server 2> /dev/null || true
done
[ "$acknowledged" -gt 0 ]
petstore doctor > /root/doctor.txt
[ "$(petstore order list --pet 3 --open --format count)" -ge "$acknowledged" ]
echo "$acknowledged orders acknowledged before 3 kills, none missing; $(tail -n 1 /root/doctor.txt)"
`;

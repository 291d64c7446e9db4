import type {ActName} from './history.js'

const unlocked = "process.getBuiltinModule('fs').rmSync(run.folder.path + '/' + run.id + '.lock')"
const delivered = "register.recordDelivery(delivery, {state: 'delivered', tries: 1, at: clock.now()})"
const firstCome = 'await Promise.any(slots.map((one, at) => one.loading!.then(() => at))).catch(() => 0)'
const granted = 'store.write(state)\n        store.countForRun(permit.hour, 1)'
const later = 'setTimeout(() => {try {store.write(take(store.read(), ask).state)} catch {}}, 30)'
const told = 'yield* tellWritten(ordered, {...written, isFile: true})'
const others = '.splice(0, 99, ...conflicts.splice(0), ...open)'
const held = '{release() {}, remove() {}} as never'

/** Bugs that are planted to see whether they are found: by which act and seed, and the one place that they change; `$&` is that. */
export const planted: Record<string, [act: ActName, seed: number, from: string, to: string]> = {
  'no fsync before the send': ['writes', 17, "synchronous = 'FULL'} = file", "synchronous = 'NORMAL'} = file"],
  'blind resend': ['writes', 7, 'if (incoming instanceof TransportFailure)', '$& if (attempt === 1) continue; else'],
  'probe before the settle time': ['writes', 1048, 'options.moment().milliseconds >= settled', 'true'],
  'rename before sync': ['exports', 2, 'await handle.sync()\n      await close()', 'await close()'],
  'temp file adopted from another run': ['exports', 8, "hash.copy().digest('hex') !== digest", 'false'],
  'token refreshed twice': ['writes', 31, '(await other()) ?? ', ''],
  'request counted after the send': ['writes', 19, granted, later],
  'mark before manifest': ['exports', 21, 'await publish(file, state)\n', `${told}\n$&`],
  'delta twice': ['published', 2042, "undo: {by: 'selections.adjust'},", "$& repeatable: {when: 'always'},"],
  'mark from the wrong clock': ['exports', 14, "toMilliseconds(startedAt ?? '')\n  const at", 'Date.now()\n  const at'],
  'rest of a served range is lost': ['exports', 1, 'unshift(joinNext(pending, servedTo, to))', 'at(0)'],
  'mark at the end that is asked for': ['exports', 14, 'Math.min(end, started - settleMilliseconds)', 'end'],
  'rolled back rows are no rejects': ['writes', 280, "=== 'refused' || fate === 'rolledBack' ||", "=== 'refused' ||"],
  'doubt does not stop a run': ['published', 8, "!== 'refused') return stops", '$& && {continues: true, parts: []}'],
  'seal not checked': ['writes', 16, 'LIMIT 1`) === undefined', 'LIMIT 0`) === undefined'],
  'lock not asked on resume': ['writes', 25, 'tryLockRun(folder, id)\n  if (lock)', `${held}\n  if (lock)`],
  'page order assumed': ['exports', 1, 'slots.shift()', `slots.splice(${firstCome}, 1)[0]`],
  'quiet time missing': ['published', 223, 'quietMilliseconds = 5_000', 'quietMilliseconds = 0'],
  'undo beside undo': ['published', 786, '...run} = openNamed(environment, text)', `$&\n  ${unlocked}`],
  'delivery recorded before it is made': ['jobs', 27, 'const end = await options.deliver(', `${delivered}\n    $&`],
  'sent set told as not sent': ['published', 58, "'sent') return {fate: 'inDoubt'", "'sent') return {fate: 'skipped'"],
  'rate of twice as much': ['quota', 3, 'requestsPerSecond: 19.5,\n  burst: 95', 'requestsPerSecond: 39, burst: 190'],
  'day that is used up not asked': ['quota', 1, '>= perDay - floor', '>= 2 * perDay - floor'],
  'rest of a shared set is lost': ['files', 11, 'if (places.length > 0) journal', 'if (places.length < 0) journal'],
  'records that another run changes are set back': ['files', 81, '!overwrites(plan.operation)', 'plan'],
  'name of another machine not locked': ['shared', 409, 'WHERE pg_try_advisory_lock(lock))', ')'],
  'name not locked': ['exports', 14, 'return lockOrFail(nameLock(folder, named)', `return ${held}\n  $&`],
  'run in doubt undone': ['writes', 13, 'if (rows > 0) throw doubtful(facts.id, rows)', ''],
  'changes of others undone': ['writes', 54, '.filter((change) => !conflicts.includes(change))', others],
}

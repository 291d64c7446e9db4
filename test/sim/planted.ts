import type {ActName} from './history.js'

const unanswered = 'if (incoming instanceof TransportFailure'
const undone = "undo: {by: 'selections.adjust'},"
const opened = 'const {loaded, ...run} = openNamed(environment, text)'
const unlocked = "process.getBuiltinModule('fs').rmSync(run.folder.path + '/' + run.id + '.lock')"
const awaited = 'const end = await options.deliver('
const delivered = "register.recordDelivery(delivery, {state: 'delivered', tries: 1, at: clock.now()})"
const written = 'yield* tellWritten(ordered, {...written, isFile: true})'
const published = 'await file.publish()\n  await writeManifest('
const firstCome = 'await Promise.any(slots.map((one, at) => one.loading!.then(() => at))).catch(() => 0)'
const closed = 'await close()\n      await checkIdentity(fileSystem'
const later = 'setTimeout(() => {try {store.write(take(store.read(), ask).state)} catch {}}, 30)'
const then = '\n  const at ='
const started = `toMilliseconds(startedAt ?? '')${then}`
const sent = "if (state === 'sent') return {fate: 'inDoubt', why: noAnswer, refusals: []}"
const skipped = "if (state === 'sent') return {fate: 'skipped', why}"
const locked = 'tryLockRun(folder, id)\n  if (lock)'
const doubt = "if (answer.fate !== 'refused') return"
const rate = 'requestsPerSecond: 19.5,\n  burst: 95,'
const noPlaces = 'places.length === 0'
const overwriting = 'if (!overwrites(plan.operation)'
const granted = 'store.write(state)\n        store.countForRun(permit.hour, 1)'

/** Bugs that are planted to see whether they are found: by which act and seed, and the one place that they change. */
export const planted: Record<string, [act: ActName, seed: number, from: string, to: string]> = {
  'no fsync before the send': ['writes', 17, "synchronous = 'FULL'} = file", "synchronous = 'NORMAL'} = file"],
  'blind resend': ['writes', 10, `${unanswered})`, `${unanswered} && attempt === 1) continue\n    ${unanswered})`],
  'probe before the settle time': ['writes', 1048, 'options.moment().milliseconds >= settled', 'true'],
  'rename before sync': ['exports', 2, `await handle.sync()\n      ${closed}`, closed],
  'temp file adopted from another run': ['exports', 8, "hash.copy().digest('hex') !== digest", 'false'],
  'token refreshed twice': ['writes', 31, '(await other()) ?? ', ''],
  'request counted after the send': ['writes', 19, granted, later],
  'mark before manifest': ['exports', 21, published, `${written}\n  ${published}`],
  'delta twice': ['published', 894, undone, `${undone}\n    repeatable: {when: 'always'},`],
  'watermark from the wrong clock': ['exports', 14, started, `Date.now()${then}`],
  'rest of a served range is lost': ['exports', 1, 'unshift(joinNext(pending, servedTo, to))', 'at(0)'],
  'mark at the end that is asked for': ['exports', 14, 'Math.min(end, started - settleMilliseconds)', 'end'],
  'rolled back rows are no rejects': ['writes', 280, "=== 'refused' || fate === 'rolledBack' ||", "=== 'refused' ||"],
  'doubt does not stop a run': ['published', 8, `${doubt} stops`, `${doubt} {continues: true, parts: []}`],
  'seal not checked': ['writes', 16, 'LIMIT 1`) === undefined', 'LIMIT 0`) === undefined'],
  'lock not asked on resume': ['writes', 25, locked, '{release() {}, remove() {}} as never\n  if (lock)'],
  'page order assumed': ['exports', 1, 'slots.shift()', `slots.splice(${firstCome}, 1)[0]`],
  'quiet time missing': ['published', 223, 'quietMilliseconds = 5_000', 'quietMilliseconds = 0'],
  'undo beside undo': ['published', 786, opened, `${opened}\n  ${unlocked}`],
  'delivery recorded before it is made': ['jobs', 13, awaited, `${delivered}\n    ${awaited}`],
  'sent set of a killed run told as not sent': ['published', 58, sent, skipped],
  'rate of twice as much': ['quota', 23, rate, 'requestsPerSecond: 39,\n  burst: 190,'],
  'day that is used up not asked': ['quota', 113, '>= perDay - floor', '>= 2 * perDay - floor'],
  'rest of a set of which another run took rows is lost': ['files', 11, `${noPlaces} ? [] : [{...set, places}]`, '[]'],
  'records that another run changes are set back': ['files', 81, `${overwriting}) return\n`, 'if (plan) return\n'],
  'name of another machine not locked': ['shared', 24, 'WHERE pg_try_advisory_lock(lock))', ')'],
  'name not locked': [
    'exports',
    14,
    'return lockOrFail(nameLock(folder, named)',
    'return {release() {}, remove() {}} as never\n  return lockOrFail(nameLock(folder, named)',
  ],
  'run in doubt undone': ['writes', 13, 'if (rows > 0) throw doubtful(facts.id, rows)', ''],
  'changes of others undone': [
    'writes',
    54,
    'open.filter((change) => !conflicts.includes(change))',
    'open.splice(0, 99, ...conflicts.splice(0), ...open)',
  ],
}

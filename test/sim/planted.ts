import type {ActName} from './history.js'

/**
 * Bugs that are planted in the program to see whether the simulation finds them: by an act, with the seed that does. Each
 * changes the one place in the source that reads `from`, wherever it is by now.
 */
export const planted: Record<string, [act: ActName, seed: number, from: string, to: string]> = {
  'no fsync before the send': ['writes', 7, "synchronous = 'FULL'} = file", "synchronous = 'NORMAL'} = file"],
  'blind resend': [
    'writes',
    1,
    '(incoming instanceof TransportFailure) return',
    '(incoming instanceof TransportFailure && attempt === 1) continue\n    if (incoming instanceof TransportFailure) return',
  ],
  'probe before the settle time': ['writes', 7, 'options.moment().milliseconds >= settled', 'true'],
  'rename before sync': [
    'exports',
    13,
    'await handle.sync()\n        await close()\n        await checkIdentity(fileSystem',
    'await close()\n        await checkIdentity(fileSystem',
  ],
  'temp file adopted from another run': ['exports', 5, "hash.copy().digest('hex') !== digest", 'false'],
  'token refreshed twice': [
    'writes',
    31,
    '(await other()) ?? (await login()).accessToken',
    '(await login()).accessToken',
  ],
  'request counted after the send': [
    'writes',
    19,
    'store.write(state)\n        store.countForRun(permit.hour, 1)',
    'setTimeout(() => { try { store.write(take(store.read(), ask).state) } catch {} }, 30)',
  ],
  'mark before manifest': [
    'exports',
    21,
    'await file.publish()\n  await writeManifest(options.path',
    "await options.onWritten?.(withoutBase(manifest, base), keysSince(state), 'written')\n  await file.publish()\n  await writeManifest(options.path",
  ],
  'delta twice': [
    'published',
    69,
    "undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'settled'},",
    "undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'always'},",
  ],
  'watermark from the wrong clock': [
    'exports',
    14,
    "const started = toMilliseconds(startedAt ?? '')\n  const at =",
    'const started = Date.now()\n  const at =',
  ],
  'seal not checked': [
    'writes',
    10,
    'LIMIT 1`) === undefined\n}\n\nfunction hasBodies',
    'LIMIT 0`) === undefined\n}\n\nfunction hasBodies',
  ],
  'lock not asked on resume': [
    'writes',
    25,
    'const lock = tryLockRun(folder, id)\n  if (lock) return lock',
    'return {release: () => undefined, remove: () => undefined} as never',
  ],
  'page order assumed': [
    'exports',
    1,
    '? undefined : slots.shift()',
    '? undefined : slots.splice(await Promise.any(slots.map((one, at) => one.loading!.then(() => at))).catch(() => 0), 1)[0]',
  ],
  'quiet time missing': ['published', 192, 'quietMilliseconds = 5_000', 'quietMilliseconds = 0'],
  'undo beside undo': [
    'published',
    9,
    '  const {loaded, ...run} = openRun(environment, text)',
    "  const {loaded, ...run} = openRun(environment, text)\n  process.getBuiltinModule('fs').rmSync(run.folder.path + '/' + run.id + '.lock')",
  ],
  'delivery recorded before it is made': [
    'jobs',
    13,
    'const end = await options.deliver(',
    "register.recordDelivery(delivery, {state: 'delivered', tries: 1, at: clock.now()})\n    const end = await options.deliver(",
  ],
  'name of another machine not locked': ['shared', 4, 'WHERE pg_try_advisory_lock(lock))', ')'],
}

import type {Patch} from './bundle.js'
import type {ActName} from './history.js'

/** A bug that is planted in the program to see whether the simulation finds it, and the seed that does. */
export type Planted = Patch & {act: ActName; seed: number}

export const planted: Record<string, Planted> = {
  'no fsync before the send': {
    ...{act: 'writes', seed: 3},
    from: "isNew, synchronous = 'FULL'} = file",
    to: "isNew, synchronous = 'NORMAL'} = file",
  },
  'blind resend': {
    ...{act: 'writes', seed: 1},
    from: '    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
    to: '    if (incoming instanceof TransportFailure && attempt === 1) continue\n    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
  },
  'probe before the settle time': {
    ...{act: 'writes', seed: 7},
    from: 'options.moment().milliseconds >= settled',
    to: 'true',
  },
  'rename before sync': {
    ...{act: 'exports', seed: 13},
    from: 'await handle.sync()\n        await close()\n        await checkIdentity(fileSystem',
    to: 'await close()\n        await checkIdentity(fileSystem',
  },
  'temp file adopted from another run': {
    ...{act: 'exports', seed: 5},
    from: "  if (digest !== undefined && hash.copy().digest('hex') !== digest) throw isChanged(path)\n",
    to: '',
  },
  'token refreshed twice': {
    ...{act: 'writes', seed: 31},
    from: '(await other()) ?? (await login()).accessToken',
    to: '(await login()).accessToken',
  },
  'request counted after the send': {
    ...{act: 'writes', seed: 19},
    from: '        store.write(state)\n        store.countForRun(permit.hour, 1)\n        return permit',
    to: `        setTimeout(() => {
          try { store.write(take(store.read(), ask).state) } catch {}
        }, 30)
        return permit`,
  },
  'mark before manifest': {
    ...{act: 'exports', seed: 21},
    from: '  await file.publish()\n  await writeManifest(options.path',
    to: "  await options.onWritten?.(withoutBase(manifest, base), keysSince(state), 'written')\n  await file.publish()\n  await writeManifest(options.path",
  },
  'delta twice': {
    ...{act: 'published', seed: 69},
    from: "    undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'settled'},",
    to: "    undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'always'},",
  },
  'watermark from the wrong clock': {
    ...{act: 'exports', seed: 14},
    from: "const started = toMilliseconds(startedAt ?? '')\n  const at =",
    to: 'const started = Date.now()\n  const at =',
  },
  'seal not checked': {
    ...{act: 'writes', seed: 10},
    from: 'function hasSeals(database: Database, table: Sealed): boolean {',
    to: 'function hasSeals(database: Database, table: Sealed): boolean {\n  return true',
  },
  'lock not asked on resume': {
    ...{act: 'writes', seed: 48},
    from: '  const lock = tryLockRun(folder, id)\n  if (lock) return lock',
    to: '  return {release: () => undefined, remove: () => undefined} as never',
  },
  'page order assumed': {
    ...{act: 'exports', seed: 1},
    from: '? undefined : slots.shift()',
    to: '? undefined : slots.splice(await Promise.any(slots.map((one, at) => one.loading!.then(() => at))).catch(() => 0), 1)[0]',
  },
  'quiet time missing': {
    ...{act: 'published', seed: 192},
    from: 'quietMilliseconds = 5_000',
    to: 'quietMilliseconds = 0',
  },
  'undo beside undo': {
    ...{act: 'published', seed: 9},
    from: '  const {loaded, ...run} = openRun(environment, text)',
    to: "  const {loaded, ...run} = openRun(environment, text)\n  process.getBuiltinModule('fs').rmSync(run.folder.path + '/' + run.id + '.lock')",
  },
  'delivery recorded before it is made': {
    ...{act: 'jobs', seed: 13},
    from: '    const end = await options.deliver(',
    to: "    register.recordDelivery(delivery, {state: 'delivered', tries: 1, at: clock.now()})\n    const end = await options.deliver(",
  },
  'name of another machine not locked': {
    act: 'shared',
    seed: 4,
    from: 'FROM wanted WHERE pg_try_advisory_lock(lock))',
    to: 'FROM wanted)',
  },
}

import type {Patch} from './bundle.js'
import type {ActName} from './history.js'

/** A bug that is planted in the program to see whether the simulation finds it, and the seed that does. */
export type Planted = Patch & {act: ActName; seed: number}

export const planted: Record<string, Planted> = {
  'no fsync before the send': {
    ...{file: 'src/core/state-file.ts', act: 'writes', seed: 3},
    from: "isNew, synchronous = 'FULL'} = file",
    to: "isNew, synchronous = 'NORMAL'} = file",
  },
  'blind resend': {
    ...{file: 'src/client/write.ts', act: 'writes', seed: 1},
    from: '    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
    to: '    if (incoming instanceof TransportFailure && attempt === 1) continue\n    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
  },
  'probe before the settle time': {
    ...{file: 'src/runs/reconcile/probe-until-settled.ts', act: 'writes', seed: 7},
    from: 'options.moment().milliseconds >= settled',
    to: 'true',
  },
  'lock not asked on resume': {
    ...{file: 'src/runs/journal/run-folder.ts', act: 'writes', seed: 13},
    from: '  const lock = tryLockRun(folder, id)\n  if (lock) return lock',
    to: '  return {release: () => undefined, remove: () => undefined}',
  },
  'a page of a gateway is a success': {
    ...{file: 'src/client/fate.ts', act: 'writes', seed: 15},
    from: "  if (!isEmpty && value === undefined)\n    return doubt(looksLikeHtml(body) ? 'an HTML page' : 'a body that is not complete JSON')\n",
    to: '',
  },
  'rename before sync': {
    ...{file: 'src/formats/files/atomic-file.ts', act: 'exports', seed: 6},
    from: 'await handle.sync()\n        await close()\n        await checkIdentity(fileSystem',
    to: 'await close()\n        await checkIdentity(fileSystem',
  },
  'seal not checked': {
    ...{file: 'src/runs/journal/journal-seals.ts', act: 'writes', seed: 10},
    from: 'function hasSeals(database: Database, table: Sealed): boolean {',
    to: 'function hasSeals(database: Database, table: Sealed): boolean {\n  return true',
  },
  'watermark from the wrong clock': {
    ...{file: 'src/reports/register/since-last.ts', act: 'exports', seed: 14},
    from: "const started = toMilliseconds(startedAt ?? '')",
    to: 'const started = Date.now()',
  },
  'temp file adopted from another run': {
    ...{file: 'src/formats/files/part-file.ts', act: 'exports', seed: 6},
    from: '  await removeLeftover(system, part)\n  return system.open(part, newFile, privateMode)',
    to: '  return system.open(part, newFile & ~constants.O_EXCL, privateMode)',
  },
}

import type {Patch} from './bundle.js'
import type {ActName} from './history.js'

/** A bug that is planted in the program to see whether the simulation finds it, and the seed that does. */
export type Planted = Patch & {act: ActName; seed: number}

export const planted: Record<string, Planted> = {
  'no fsync before the send': {
    ...{file: 'src/core/state-file.ts', act: 'writes', seed: 7},
    from: "isNew, synchronous = 'FULL'} = file",
    to: "isNew, synchronous = 'NORMAL'} = file",
  },
  'blind resend': {
    ...{file: 'src/client/write.ts', act: 'writes', seed: 1},
    from: '    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
    to: '    if (incoming instanceof TransportFailure && attempt === 1) continue\n    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
  },
  'probe before the settle time': {
    ...{file: 'src/runs/reconcile/probe-until-settled.ts', act: 'writes', seed: 25},
    from: 'options.moment().milliseconds >= settled',
    to: 'true',
  },
  'lock not asked on resume': {
    ...{file: 'src/runs/journal/run-folder.ts', act: 'writes', seed: 13},
    from: '  const lock = tryLockRun(folder, id)\n  if (lock) return lock',
    to: '  return {release: () => undefined, remove: () => undefined}',
  },
  'a page of a gateway is a success': {
    ...{file: 'src/client/fate.ts', act: 'writes', seed: 3},
    from: "  if (!isEmpty && value === undefined)\n    return doubt(looksLikeHtml(body) ? 'an HTML page' : 'a body that is not complete JSON')\n",
    to: '',
  },
  'delta twice': {
    ...{file: 'src/contract/resources/selections.ts', act: 'published', seed: 54},
    from: "    undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'settled'},",
    to: "    undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'always'},",
  },
}

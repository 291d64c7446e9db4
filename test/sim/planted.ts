import type {Patch} from './bundle.js'
import type {ActName} from './history.js'

/** A bug that is planted in the program to see whether the simulation finds it, and the seed that does. */
export type Planted = Patch & {acts: ActName[]; seed: number}

export const planted: Record<string, Planted> = {
  'no fsync before the send': {
    ...{file: 'src/core/state-file.ts', acts: ['writes'], seed: 7},
    from: "isNew, synchronous = 'FULL'} = file",
    to: "isNew, synchronous = 'NORMAL'} = file",
  },
  'blind resend': {
    ...{file: 'src/client/write.ts', acts: ['writes'], seed: 10},
    from: '    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
    to: '    if (incoming instanceof TransportFailure && attempt === 1) continue\n    if (incoming instanceof TransportFailure) return fateOfTransport(incoming, askedBy(request))',
  },
  'probe before the settle time': {
    ...{file: 'src/runs/reconcile/probe-until-settled.ts', acts: ['writes'], seed: 125},
    from: 'options.moment().milliseconds >= settled',
    to: 'true',
  },
  'lock not asked on resume': {
    ...{file: 'src/runs/journal/run-folder.ts', acts: ['writes'], seed: 40},
    from: '  const lock = tryLockRun(folder, id)\n  if (lock) return lock',
    to: '  return {release: () => undefined, remove: () => undefined}',
  },
  'a page of a gateway is a success': {
    ...{file: 'src/client/fate.ts', acts: ['writes'], seed: 177},
    from: "  if (!isEmpty && value === undefined)\n    return doubt(looksLikeHtml(body) ? 'an HTML page' : 'a body that is not complete JSON')\n",
    to: '',
  },
  'delta twice': {
    ...{file: 'src/contract/resources/selections.ts', acts: ['published'], seed: 54},
    from: "    undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'settled'},",
    to: "    undo: {by: 'selections.adjust'},\n    merge: 'none',\n    repeatable: {when: 'always'},",
  },
}

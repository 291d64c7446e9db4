import type {SuggestedCommand} from './grammar.js'

/** In which records a field stands. */
export const read = ['read'] as const
export const sent = ['create', 'update'] as const
export const everywhere = ['read', 'create', 'update'] as const
export const kept = ['read', 'update'] as const
export const readAndCreate = ['read', 'create'] as const

/** Where a read leads that does not show what was expected. */
export const whatIsWrong: SuggestedCommand = ['doctor', 'find out what is wrong between here and the service']

/** Of most writes: what they send names its record by id, in any number, and deletes nothing. */
export const ordinary = {
  target: 'id',
  sentAs: {},
  set: {},
  deletes: 'none',
  pickedUpBy: null,
  live: [],
  totals: null,
  moves: null,
  endState: null,
  difference: null,
} as const

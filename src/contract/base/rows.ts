import type {Field, FieldKind, Use} from './grammar.js'
import {ofReads, ofWrites} from './refusals.js'

/** The records that have a field. */
export const read = ['read'] as const
export const sent = ['create', 'update'] as const
export const everywhere = ['read', 'create', 'update'] as const
export const kept = ['read', 'update'] as const
export const readAndCreate = ['read', 'create'] as const

type Rules = Omit<Field, 'kind' | 'uses' | 'about'>

/** Makes rows of the tables of fields: the records that have it, its meaning, and its rules beyond its kind. */
function fieldOf<Kind extends FieldKind>(kind: Kind) {
  return <const Uses extends readonly Use[], const Given extends Rules = Record<never, never>>(
    uses: Uses,
    about: string,
    rules?: Given,
  ) => ({kind, uses, about, ...rules}) as {kind: Kind; uses: Uses; about: string} & Given
}

export const integer = fieldOf('integer')
export const decimal = fieldOf('decimal')
export const text = fieldOf('text')
export const boolean = fieldOf('boolean')
export const dateTime = fieldOf('dateTime')
export const choice = fieldOf('choice')
export const object = fieldOf('object')
export const list = fieldOf('list')

/** The next step after a read that does not show what was expected. */
export const whatIsWrong = {doctor: 'find out what is wrong between here and the service'} as const

export const reading = {kind: 'read', verb: 'GET', since: 'v2', maximumPageSize: 2_000, refuses: ofReads} as const

export const writing = {kind: 'write', since: 'v2', filters: {}, refuses: ofWrites, next: {}} as const

/** Rules of most writes: records by id, any number, read before, none deleted; a set in doubt is sent once settled. */
export const ordinary = {
  identity: ['id'],
  target: 'id',
  sentAs: {},
  set: {},
  deletes: 'none',
  pickedUpBy: null,
  live: [],
  totals: null,
  moves: null,
  creates: null,
  endState: null,
  difference: null,
  duplicateCode: null,
  boundsCode: 'GENERIC_ERROR',
  preimage: 'records',
  merge: 'none',
  repeatable: {when: 'settled'},
} as const

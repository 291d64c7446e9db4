import type {Read, Session, WriteRoute} from './base/grammar.js'
import type {RefusalCode} from './base/refusals.js'
import type {FilterKey} from './filters.js'
import type {ReadId, WriteId} from './operations.js'
import {policies} from './resources/index.js'

/** Everything that must be known of a bulk write beside its route, so that no other file compares operation ids. */
export type WritePolicy = {
  /** Fields that together name a record, and that no two records of one file may share; none where nothing names it. */
  readonly identity: readonly string[]
  /** The field of a sent record with the id of the record it changes. */
  readonly target: string
  readonly answer: 'ids' | 'records' | 'nothing'
  /** For each filter of a write without a body the field of a record whose values it takes. */
  readonly sentAs: FieldsOfFilters
  /** Limits on the records of one request, where there are any. */
  readonly set: SetRule
  /** Records that are deleted: all, those whose flags are all false, or none. */
  readonly deletes: 'all' | {readonly allFalse: readonly string[]} | 'none'
  /** The field with the machine that must pick up the change, where there is one. */
  readonly pickedUpBy: string | null
  /**
   * Fields that change by themselves and are set by every send: where a row does not give them, what was read right
   * before goes with it. Machines need not pick them up, and in a new record they prove nothing.
   */
  readonly live: readonly string[]
  /** The field whose sums are shown by site before a change of it is sent, and whose numbers may be raised by a part. */
  readonly totals: string | null
  /** The field whose change moves a record to a place of the same owner, and the fields that name the owner. */
  readonly moves: {readonly field: string; readonly owner: string; readonly ownerThere: string} | null
  readonly probe: Probe
  /** The refusal of a record that already exists, or that is already as it was asked to be. */
  readonly duplicateCode: RefusalCode | null
  /** The refusal of a value outside the bounds of its field. */
  readonly boundsCode: RefusalCode
  /** Read before the first set: the records themselves, or the ids of those that could be mistaken for new ones. */
  readonly preimage: 'records' | 'ids' | 'none'
  readonly undo: Undoing
  /** The merge of a row with the current record: `full-replace` sets to null what is left out. */
  readonly merge: 'full-replace' | 'partial' | 'none'
  /** Given where a row says by how much a field changes, so that the same row twice changes it twice. */
  readonly difference: Difference | null
  readonly repeatable: Repeatable
  /** The write that makes new records of rows without an id, where both may be in one run. */
  readonly creates: WriteId | null
  /** A state that records reach and never leave. */
  readonly endState: EndState | null
  readonly words: WriteWords
}

/** The read that settles a set in doubt, and its proof that the set was applied. */
export type Probe =
  /** New records are found by their identity, which no two records share. */
  | {readonly kind: 'identity'; readonly read: ReadId; readonly filters: FieldsOfFilters}
  /** New records have no identity: those like the ones that were sent are counted. */
  | {readonly kind: 'likeness'; readonly read: ReadId; readonly filters: FieldsOfFilters; readonly like: Likeness}
  /**
   * Changed records are read by id, and compared with what was sent and with how they were before: in all fields, or in
   * those that the row gives, because the others change by themselves.
   */
  | {
      readonly kind: 'fields'
      readonly read: ReadId
      readonly filters?: FieldsOfFilters
      readonly compares: 'all' | 'given'
    }
  /** Deleted records are read by id, deleted ones included: they are gone, or their flag is false. */
  | {readonly kind: 'gone'; readonly read: ReadId; readonly flag: string}
  /** Differences leave a trace of their own: exactly one by a person, of that size, for each. */
  | {readonly kind: 'adjustments'; readonly read: ReadId; readonly trace: ReadId; readonly traced: Traced}
  /** The template is compared with the selections of the machines. */
  | {
      readonly kind: 'template'
      readonly read: ReadId
      readonly filters: FieldsOfFilters
      readonly template: ReadId
      /** The field that names a selection, in its machine and in its template. */
      readonly by: string
      /** For each field of a selection that a template sets the field of the template with its value. */
      readonly sets: Readonly<Record<string, string>>
    }
  /** The record says when it was last done. */
  | {readonly kind: 'moment'; readonly read: ReadId; readonly filters: FieldsOfFilters; readonly field: string}
  /** The one record in force under a key is compared with what was sent. */
  | {
      readonly kind: 'current'
      readonly read: ReadId
      /** Takes the values of the first field of the key. */
      readonly filter: FilterKey
      readonly key: readonly string[]
      /** True of the record in force; the list contains those that were retired as well. */
      readonly flag: string
      /** Flags of the first record under a key, unless its row says otherwise. */
      readonly first: Readonly<Record<string, boolean>>
      /** Fields that are equal once the set was applied. */
      readonly fields: readonly string[]
    }
  /** Records are read by id, and are applied once they have reached their end state. */
  | {readonly kind: 'endState'; readonly read: ReadId}
  /** Nothing reads the records: only a second send shows whether they exist. */
  | {readonly kind: 'resend'}

/** Fields by which the trace of differences names its record. */
export type Traced = {
  /** For each filter of the trace the field of the changed record whose values it takes. */
  readonly filters: FieldsOfFilters
  /** For each field of the trace that names the changed record, the field of that record with the same value. */
  readonly of: Readonly<Record<string, string>>
  readonly size: string
  /** The person who made it; 0 for none. */
  readonly person: string
}

/** A row that changes a field of a record by a number, whatever its value. */
export type Difference = {
  readonly by: string
  /** The field of the record, which never falls below 0, nor rises above its field `most`. */
  readonly field: string
  readonly most: string
}

export type SetRule = {
  /** The most records of one request; any number unless given. */
  readonly most?: number
  /** Fields in which all records of one request agree. */
  readonly same?: readonly string[]
  /** The operation has a limit of its own a day, which is refused like the daily quota of the key. */
  readonly ownLimit?: true
}

/** For each filter of a read the field of a sent record whose values it takes. */
export type FieldsOfFilters = Readonly<Partial<Record<FilterKey, string>>>

/** Fields that distinguish a new record from others with the same values in the fields of the filters. */
export type Likeness = {
  /** The moment that is sent as UTC, and the field that keeps it so. */
  readonly time: {readonly sent: string; readonly kept: string}
  /** Fields that stay as they were sent, when they were. */
  readonly fixed: readonly string[]
  /** Fields that anybody may change later. */
  readonly editable: readonly string[]
}

/** The write that undoes another, or why there is none: what the run did, and why it stays. */
export type Undoing = {readonly by: WriteId} | {readonly never: string}

/** Conditions on which a set in doubt may be sent again. */
export type Repeatable =
  /** A second copy changes nothing that the first did not. */
  | {readonly when: 'always'}
  /** Only once it is proven that the first copy was not applied and cannot arrive any more. */
  | {readonly when: 'settled'}
  /** Only if a person asks for it, because a late first copy would double the records; except for those named here. */
  | {readonly when: 'asked'; readonly unless: OnlyOne}

/** Records of which the service keeps only one in force: those whose `field` is listed by `read` with `flag`. */
export type OnlyOne = {readonly read: ReadId; readonly field: string; readonly flag: string}

export type EndState = {
  /** True once the state is reached. */
  readonly flag: string
  /** The time it was reached, sent as UTC; a time that is sent sets the flag. */
  readonly time: string
  /** The field that keeps the time as UTC. */
  readonly kept: string
  /** Participle for such a record: `cleared`. */
  readonly done: string
  /** Says that it is final. */
  readonly never: string
}

export type WriteWords = {
  /** First word of the question: `Clear` 7 alerts? */
  readonly verb: string
  readonly noun: string
  readonly nouns: string
}

export type Write = WriteRoute & WritePolicy

export type Operation = Read | Write | Session

/** The policy of each bulk write; one without a row does not compile. */
export const writePolicies: {readonly [Id in WriteId]: WritePolicy} = policies

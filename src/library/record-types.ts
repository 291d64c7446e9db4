import type {Field, FilterKey, fields, filters, operations, ReadId, WriteId} from '../contract/index.js'
import type {JsonNumber, JsonValue} from '../values/json.js'

type Tables = {operations: typeof operations; fields: typeof fields; filters: typeof filters}
type Operation<Id extends ReadId | WriteId> = Tables['operations'][Id]
type FieldsOf<Id extends ReadId | WriteId> = Tables['fields'][Operation<Id>['resource']]

type ValueOf<Known extends Field> = Known extends {kind: 'integer' | 'decimal'}
  ? JsonNumber
  : Known extends {kind: 'boolean'}
    ? boolean
    : Known extends {kind: 'choice'; of: readonly (infer Word)[]}
      ? Word
      : Known extends {kind: 'object'; fields: infer Inner}
        ? ReadFields<Inner>
        : Known extends {kind: 'list'; fields: infer Inner}
          ? ReadFields<Inner>[]
          : string

type OrNull<Known> = Known extends {nullable: true} ? null : never

type ReadFields<Known> = {
  [Name in keyof Known]?: Known[Name] extends Field ? ValueOf<Known[Name]> | OrNull<Known[Name]> : never
}

type NamesFor<Known, Use extends string> = {
  [Name in keyof Known]: Known[Name] extends {uses: readonly (infer Used)[]} ? (Use extends Used ? Name : never) : never
}[keyof Known]

type RequiredFor<Known, Use extends string> = {
  [Name in keyof Known]: Known[Name] extends {required: readonly (infer Needed)[]}
    ? Use extends Needed
      ? Name
      : never
    : never
}[keyof Known]

type SentFields<Known, Use extends string> = {
  [Name in RequiredFor<Known, Use>]: Required<ReadFields<Known>>[Name]
} & {[Name in Exclude<NamesFor<Known, Use>, RequiredFor<Known, Use>>]?: ReadFields<Known>[Name]}

/**
 * A record as it was read. The fields are those of the contract; the service may leave any of them out, and others that
 * it sends are there too.
 */
export type ReadRecord<Id extends ReadId> = ReadFields<FieldsOf<Id>> & {[name: string]: JsonValue | undefined}

/** Writes whose records change others. */
export type UpdateId = {[Id in WriteId]: Operation<Id>['body'] extends 'update' ? Id : never}[WriteId]

/** What names a record, and the fields that change. */
export type Changes<Id extends UpdateId> = Partial<SentRecord<Id>>

/** A record to send. Of an update: a field that is left out becomes null, those of alerts aside. */
export type SentRecord<Id extends WriteId> = Operation<Id>['body'] extends infer Use extends
  | 'create'
  | 'update'
  | 'delete'
  ? SentFields<FieldsOf<Id>, Use>
  : never

type FilterValue<Key extends FilterKey> = {
  integers: readonly JsonNumber[]
  texts: readonly (string | JsonNumber)[]
  dateTime: string
  flag: boolean
}[Tables['filters'][Key]['kind']]

/**
 * The narrowings that an operation honours. A list must hold something: an empty one would narrow nothing. Dates are
 * written as for the program: `2024-07-01`, `2024-07-01T13:00`, `2024-07`, `yesterday`, `-7d`; a day or a month stands
 * for its first moment in `StartDate` and for its last in `EndDate`.
 */
export type Filters<Id extends ReadId | WriteId> = {
  [Key in Extract<keyof Operation<Id>['filters'], FilterKey>]?: FilterValue<Key>
}

/** What a write sends: records, or the filters that say what changes. */
export type Sent<Id extends WriteId> = Operation<Id>['body'] extends 'none'
  ? {filters: Required<Filters<Id>>}
  : {records: readonly SentRecord<Id>[]}

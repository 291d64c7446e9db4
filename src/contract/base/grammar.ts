/**
 * The grammar of the contract tables: what a row of each table may say.
 * Marks in comments name the source of a fact: [seed] the specification, [pub] published documentation of the
 * same kind of service, [3rd] third-party clients, [dec] decided here because nothing says it.
 */

export type Stage = 'rc' | 'v1' | 'v2' | 'v2.1'

/** The uses of a record: `read` it comes back from the service; `create`, `update` and `delete` it is sent. */
export type Use = 'read' | 'create' | 'update' | 'delete'

export type FieldKind = 'integer' | 'decimal' | 'text' | 'boolean' | 'dateTime' | 'choice' | 'object' | 'list'

export type Field = {
  readonly kind: FieldKind
  readonly uses: readonly Use[]
  /** Uses in which the field may not be left out. */
  readonly required?: readonly Use[]
  /** The service accepts and returns null (`?` in the specification). */
  readonly nullable?: true
  /** Smallest accepted number, inclusive. */
  readonly min?: number
  /** Exclusive lower bound of accepted numbers. */
  readonly above?: number
  /** Numbers within the bounds that are refused all the same. */
  readonly except?: readonly number[]
  /** A text that services also send as a number; both mean the same. */
  readonly orNumber?: true
  /** Every character counts: no change of the text is reported as damage. */
  readonly opaque?: true
  /** Other names under which services send the field. */
  readonly alsoNamed?: readonly string[]
  /** Longest accepted text, in UTF-16 code units as C# counts them. */
  readonly maxLength?: number
  /** The text is a time zone, by its Windows or its IANA name. */
  readonly zone?: true
  /** The accepted words of a `choice`. */
  readonly of?: readonly string[]
  /** Fields of an `object`, or of each element of a `list`. */
  readonly fields?: Readonly<Record<string, Field>>
  /** A `dateTime` as the clock of the machine shows it; all others are UTC. [seed] */
  readonly clock?: 'local'
  /** Resource whose record the value is the id of. */
  readonly refersTo?: string
  /** A value that obeys the field's rules, for templates; nothing in the world need have it. */
  readonly example?: string | number
  readonly about: string
}

export type Fields = Readonly<Record<string, Field>>

export type Filter = {
  readonly kind: 'integers' | 'texts' | 'dateTime' | 'flag'
  /** The part of the request body that carries it. */
  readonly place: 'requestFilter' | 'routeFilter'
  /** The other part, where the service takes it from both. */
  readonly alsoIn?: 'requestFilter'
  /** Texts that may also come as numbers. */
  readonly orNumbers?: true
  /** Resource whose records the values name; null where they name none that is read. */
  readonly names: string | null
  readonly flag: string
  readonly alias?: string
  /** For a person who types the flag. */
  readonly about: string
  /** For a program that sends the key, where it takes other values than the flag. */
  readonly onWire?: string
}

export type Range = {
  /** Longest range of one request, in days; a longer one is read in windows of this length. */
  readonly maximumDays: number
  /** Dotted field that the two dates are compared with. */
  readonly on: string
  /** The dates are compared in UTC; without it, in the local time of each machine. */
  readonly clock?: 'utc'
}

/** A list of what happened, which is exported over any range, in windows, with proof that nothing is missing. */
export type Report = {
  /** In messages: `transaction report`. */
  readonly name: string
  /** Nouns for one of its records, and for several. */
  readonly record: readonly [one: string, several: string]
  /** The front of the names of files that are named by their days. */
  readonly filePrefix: string
  /** The name that its marks and its coverage are kept under; the first report has none. */
  readonly keptAs?: string
}

/** An answer that is one object, whose members become records: `{machineId: [rightId]}`. Its headers say whether pages follow. */
export type ObjectAnswer = {
  /** The field that takes the name of a member. */
  readonly name: string
  /** The field that takes each value of its list. */
  readonly value: string
}

/** Commands to give next, and what each is good for. */
export type SuggestedCommands = Readonly<Record<string, string>>

type AnyRoute = {
  readonly path: string
  readonly since: Stage
  readonly command: string
  readonly refuses: readonly string[]
  readonly about: string
}

type ResourceRoute = AnyRoute & {
  readonly resource: string
  /**
   * Dotted fields of a returned record that show whether a filter was honoured: the record is right when one of them has
   * an asked value. Empty when no field shows it.
   */
  readonly filters: Readonly<Record<string, readonly string[]>>
  /** Second keys that carry the same values, for services that know a filter by that name only. */
  readonly alsoSentAs?: Readonly<Record<string, string>>
  /** Parts that the documentation of the service does not confirm, as the end of a sentence: `its path`. */
  readonly unconfirmed?: readonly string[]
  readonly next: SuggestedCommands
}

export type Read = ResourceRoute & {
  readonly kind: 'read'
  readonly verb: 'GET'
  /** Further paths of the same operation. */
  readonly alsoAt?: readonly string[]
  readonly range?: Range
  readonly report?: Report
  /** Largest page the service serves, in records. */
  readonly maximumPageSize: number
  /** Given where the answer is no list of records. */
  readonly answer?: ObjectAnswer
}

/** The route of a bulk write; its row of `writePolicies` says the rest. */
export type WriteRoute = ResourceRoute & {
  readonly kind: 'write'
  readonly verb: 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** Records in the body; `none` when the filters alone say what changes. */
  readonly body: 'create' | 'update' | 'delete' | 'none'
}

export type Session = AnyRoute & {
  readonly kind: 'session'
  readonly verb: 'POST'
  readonly needsToken: boolean
  /** Body of the request and answer, by the names of `sessionFields`. */
  readonly sends: 'login' | null
  readonly answer: 'token' | 'text'
}

export type Route = Read | WriteRoute | Session

/** A row of the table of operations; its command follows from its id. */
export type Row = Omit<Read, 'command'> | Omit<WriteRoute, 'command'> | Omit<Session, 'command'>

export type Changed = 'none' | 'some' | 'unknown'

export type Again = 'never' | 'afterLogin' | 'afterWait' | 'afterReconcile'

export type Refusal = {
  readonly status: number
  /** Effect of a write that was answered so. */
  readonly changed: Changed
  /** Whether and when the same request may be sent again. */
  readonly again: Again
  /** Field of a record that it is about, where that is always the same. */
  readonly field?: string
  readonly about: string
  readonly hint: string
}

export type ExitCode = {
  readonly code: number
  readonly about: string
  /** Effect on the service of a run that ended so. */
  readonly changed: string
  /** Whether the same command may be given again. */
  readonly again: string
  /** The next step. */
  readonly hint: string
}

/** A reason to refuse a file or a part of it before anything is sent. */
export type InputProblem = {readonly about: string; readonly hint: string}

/** The reason for the fate of a row, where no refusal of the service gives one. */
export type RowCode = {
  readonly about: string
  readonly changed: string
  /** Whether the row may be sent again. */
  readonly again: string
  readonly hint: string
}

export type StageRow = {
  /** Bulk requests with the standard body. */
  readonly bulk: boolean
  /** Sessions and files. */
  readonly sessions: boolean
  readonly about: string
}

export type Header = {
  readonly name: string
  readonly of: 'request' | 'answer'
  readonly kind: 'integer' | 'text' | 'dateTime'
  readonly about: string
}

/** An answer of the gateway; it has no refusal code, only a message. */
export type GatewayAnswer = Refusal & {readonly message: string}

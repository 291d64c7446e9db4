/** What values are chosen from; where they come from is known elsewhere. */
export type SourceName =
  | 'codes'
  | 'columns'
  | 'documents'
  | 'faults'
  | 'fields'
  | 'filters'
  | 'methods'
  | 'operations'
  | 'profiles'
  | 'routes'
  | 'runs'
  | 'settings'

export type Choice = {
  readonly value: string
  readonly about?: string | undefined
  /** What may stand after a name, as in `isActive=true`. */
  readonly values?: readonly string[]
}

/** Lists the choices of a source for one command; empty when there are none or they cannot be known. */
export type Sources = (name: SourceName, commandId: string) => readonly Choice[] | Promise<readonly Choice[]>

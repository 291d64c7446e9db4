import {fields} from './resources/index.js'

export {fields}
export type Resource = keyof typeof fields

/** Fields that together name a record, where it has no id. */
export const recordKeys = {
  transactionMetadata: ['transactionId'],
  machineRight: ['machineId', 'rightId'],
} as const satisfies Partial<Record<keyof typeof fields, readonly string[]>>

/** Rules across the fields of a record, and across the records of one file. */
export type RecordRules = {
  /** Fields in order: none may be above one behind it; those that are null are passed over. */
  readonly ascending: readonly (readonly string[])[]
  /** Fields that together no two records share. */
  readonly unique: readonly (readonly string[])[]
}

export const recordRules: Readonly<Partial<Record<Resource, RecordRules>>> = {
  selection: {
    ascending: [
      ['alertLevel', 'restockAt', 'restockTo', 'depth'], // [dec]
      ['count', 'depth'], // [dec]
    ],
    unique: [['machineId', 'selectionNumber']], // [pub]
  },
}

export function recordRulesOf(resource: string): RecordRules {
  const rules: Readonly<Record<string, RecordRules | undefined>> = recordRules
  return rules[resource] ?? {ascending: [], unique: []}
}

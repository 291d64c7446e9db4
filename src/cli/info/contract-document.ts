import {describeUnconfirmed, type documentNames, findOperation, isWriteId, operationIds} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {toCsvTemplate, toJsonTemplate} from '../../derive/file-templates.js'
import type {Dialect} from '../../derive/mirror/column-types.js'
import {renderSql} from '../../derive/mirror/render-sql.js'
import {toOpenApi} from '../../derive/open-api.js'
import {findOperationId, findReference, type OperationReference, toOperationRows} from '../../derive/reference.js'
import {ownSchemas, toSchemaDocument} from '../../derive/schema-document.js'
import type {JsonValue} from '../../values/json.js'
import {didYouMean} from '../../values/suggest.js'
import type {CommandContext, OtherCommands} from '../app/command-context.js'
import {simpleTable} from '../terminal/simple-table.js'
import type {ContractFormat} from './contract-flags.js'

export type ContractDocument = {data: JsonValue; text: string}

/** Names of documents of this program, accepted in place of an operation. */
const documents: Readonly<Record<string, (commands: OtherCommands) => unknown>> = {
  ...ownSchemas,
  jobs: async ({known}) => {
    const {toJobsSchema} = await import('../../jobs/file/jobs-schema.js')
    return toJobsSchema(await known())
  },
} satisfies Record<keyof typeof documentNames, (commands: OtherCommands) => unknown>

/** The contract, or one operation of it, in one format. Throws `usage` for a name or format that does not fit. */
export async function toContractDocument(
  name: string | undefined,
  {format, dialect}: {format: ContractFormat; dialect?: Dialect | undefined},
  {version, commands}: Pick<CommandContext, 'version' | 'commands'>,
): Promise<ContractDocument> {
  if (dialect !== undefined && format !== 'sql') throw withoutEffect('--dialect is for --format sql only.')
  const toDocument = name !== undefined && Object.hasOwn(documents, name) ? documents[name] : undefined
  if (toDocument) return toJsonDocument(await toDocument(commands))
  const id = name === undefined ? undefined : findOperationId(name)
  if (name !== undefined && id === undefined) throw unknownOperation(name)
  if (format === 'sql') return toSql(name, dialect ?? 'sqlite')
  if (format === 'openapi') return toJsonDocument(toOpenApi(version))
  if (format === 'json-schema') return toJsonDocument(toSchemaDocument(id))
  if (format === 'table') return id === undefined ? toOverview() : toReferenceText(findReference(id))
  return toTemplate(id, format)
}

/** Tables refer to each other, so they come together. */
function toSql(name: string | undefined, dialect: Dialect): ContractDocument {
  if (name !== undefined) throw withoutEffect('--format sql shows all tables together, so it takes no operation.')
  const statements = renderSql(dialect)
  return {data: statements, text: statements.map((statement) => `${statement};\n`).join('\n')}
}

function toTemplate(id: string | undefined, format: 'csv-template' | 'json-template'): ContractDocument {
  if (id === undefined || !isWriteId(id)) throw noTemplate(id, format)
  if (format === 'json-template') return {data: JSON.parse(toJsonTemplate(id)) as JsonValue, text: toJsonTemplate(id)}
  return {data: toCsvTemplate(id), text: toCsvTemplate(id)}
}

function toJsonDocument(document: unknown): ContractDocument {
  return {data: document as JsonValue, text: `${JSON.stringify(document, undefined, 2)}\n`}
}

async function toOverview(): Promise<ContractDocument> {
  const rows = toOperationRows()
  const cells = rows.map((row) => [row.id, `${row.method} ${row.path}`, commandLine(row.command), row.stage, row.about])
  return {data: rows, text: await simpleTable(['operation', 'route', 'command', 'since', 'meaning'], cells)}
}

async function toReferenceText(reference: OperationReference | undefined): Promise<ContractDocument> {
  if (!reference) return toOverview()
  const {id, method, path, command, stage, about, fields, filterRows, refusals} = reference
  const unconfirmed = describeUnconfirmed(findOperation(id))
  const yes = (value: boolean) => (value ? 'yes' : '')
  const parts = [
    `${id}  ${method} ${path}  (since ${stage})\n${[about, unconfirmed].filter(Boolean).join('\n')}\n${commandLine(command)}\n`,
    fields.length > 0 &&
      (await simpleTable(
        ['field', 'type', 'required', 'null', 'bounds', 'meaning'],
        fields.map((row) => [row.name, row.type, yes(row.required), yes(row.nullable), row.bounds, row.about]),
      )),
    filterRows.length > 0 &&
      (await simpleTable(
        ['filter', 'key', 'type', 'meaning'],
        filterRows.map((row) => [row.flag, row.key, row.type, row.about]),
      )),
    await simpleTable(
      ['refusal', 'status', 'meaning'],
      refusals.map((row) => [row.code, String(row.status), row.about]),
    ),
  ]
  return {data: reference as unknown as JsonValue, text: parts.filter((part) => part !== false).join('\n')}
}

function unknownOperation(name: string): CliFailure {
  return new CliFailure(`Unknown operation: ${name}`, {
    code: 'UNKNOWN_OPERATION',
    hints: [
      ...didYouMean(name, [...operationIds, ...Object.keys(documents)]),
      'See all of them with: vendorctl contract show',
    ],
  })
}

function withoutEffect(message: string): CliFailure {
  return new CliFailure(message, {
    code: 'FLAG_WITHOUT_EFFECT',
    hints: ['Print the tables with: vendorctl contract show --format sql --dialect postgres'],
  })
}

function noTemplate(id: string | undefined, format: string): CliFailure {
  const writes = operationIds.filter((one) => findOperation(one)?.kind === 'write')
  return new CliFailure(`${format} needs an operation that takes a file${id ? `; ${id} takes none` : ''}.`, {
    code: 'NOT_A_WRITE',
    hints: [`Operations that do: ${writes.join(', ')}`],
  })
}

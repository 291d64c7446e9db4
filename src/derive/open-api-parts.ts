import {defaultStage, type Header, headers, limits, stageNames, stages} from '../contract/index.js'
import type {JsonSchema} from './json-schema.js'

/** The server URL with the stage as a variable; the base URL is the operator's to name. [seed] */
export function toServers(): JsonSchema[] {
  const words = stageNames.map((name) => `${name}: ${stages[name].about}`)
  return [
    {
      url: '{baseUrl}/{stage}',
      variables: {
        baseUrl: {default: 'https://vendor.example', description: 'Where the service is.'},
        stage: {enum: stageNames, default: defaultStage, description: words.join('\n')},
      },
    },
  ]
}

export function toSecuritySchemes(): JsonSchema {
  const {apiKey, token} = headers
  return {
    apiKey: {type: 'apiKey', in: 'header', name: apiKey.name, description: apiKey.about},
    token: {type: 'apiKey', in: 'header', name: token.name, description: token.about},
  }
}

export function toPagingParameters(): JsonSchema {
  const {page, size} = headers
  const clamp = `A larger value than ${limits.maximumPageSize} is clamped to it.`
  return {
    page: toParameter(page, page.about, 1),
    size: toParameter(size, `${size.about} ${clamp}`, limits.defaultPageSize),
  }
}

export function toHeaderComponents(): JsonSchema {
  const {servedPage, servedSize, totalPages, servedStart, servedEnd} = headers
  return Object.fromEntries([servedPage, servedSize, totalPages, servedStart, servedEnd].map(toHeaderComponent))
}

/** References to the headers of an answer of a read; the range only where the operation has one. */
export function toHeaderReferences(hasRange: boolean): JsonSchema {
  const {servedPage, servedSize, totalPages, servedStart, servedEnd} = headers
  const paging = [servedPage, servedSize, totalPages]
  const named = hasRange ? [...paging, servedStart, servedEnd] : paging
  return Object.fromEntries(named.map(({name}) => [name, {$ref: `#/components/headers/${name}`}]))
}

function toParameter({name}: Header, description: string, value: number): JsonSchema {
  return {name, in: 'header', required: false, description, schema: {type: 'integer', minimum: 1, default: value}}
}

function toHeaderComponent({name, kind, about}: Header): [string, JsonSchema] {
  return [name, {description: about, schema: {type: kind === 'integer' ? 'integer' : 'string'}}]
}

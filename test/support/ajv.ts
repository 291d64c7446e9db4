import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'

/** A check of values against a schema of draft 2020-12, by a validator that we did not write. */
export function compile(schema: object): ValidateFunction {
  return new Ajv2020({strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true}).compile(schema)
}

/** A check of values against the part of a document that a JSON pointer leads to. */
export function compileWithin(document: object, path: readonly string[]): ValidateFunction {
  const ajv = new Ajv2020({strict: false, allErrors: true}).addSchema(document, 'document')
  const pointer = path.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
  return ajv.compile({$ref: `document#/${pointer}`})
}

import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'

/** A check of values against a schema of draft 2020-12, by a validator that we did not write. */
export function compile(schema: object): ValidateFunction {
  return new Ajv2020({strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true}).compile(schema)
}

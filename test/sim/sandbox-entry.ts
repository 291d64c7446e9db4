/** What the simulation takes of the sandbox; bundled, and loaded anew for each world. */

export {writeIds} from '../../src/contract/index.js'
export {toHeaders, toRefusal} from '../../src/sandbox/answer.js'
export {createCore} from '../../src/sandbox/core.js'
export {addRecord} from '../../src/sandbox/store/record-columns.js'
export {listRoutes} from '../../src/sandbox/wire/routes.js'
export {parseJson} from '../../src/values/json.js'

/** What the simulation takes of the sandbox; bundled, and loaded anew for each world. */

export {writeIds} from '../../src/contract/index.js'
export {createCore} from '../../src/sandbox/core.js'
export {toHeaders, toRefusal} from '../../src/sandbox/request/http-answer.js'
export {listRoutes} from '../../src/sandbox/server.js'
export {addRecord} from '../../src/sandbox/store/record-store.js'
export {parseJson} from '../../src/values/json.js'

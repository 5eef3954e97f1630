import { describe, expect, it } from 'vitest';
import { declared, EdnName, readEdn } from '../../electron/images/clojure/build-files';

describe('readEdn', () => {
  it('reads the syntax of build files', () => {
    const text = '#!/x\n{:a [1 "b\\n\\"" c/d] ; e\n #_(gone) :f #{nil true} :g ^:m (h) :i {"k" -2.5} #_j}';
    expect(readEdn(text)).toEqual(
      new Map<string, unknown>([
        [':a', [1, 'b\n"', new EdnName('c/d')]],
        [':f', [null, true]],
        [':g', [new EdnName('h')]],
        [':i', new Map([['k', -2.5]])],
      ]),
    );
  });

  it('rejects broken text, and text that needs evaluation', () => {
    for (const text of ['', '{:a', '[1}', '{:a #=(x)}', '"open', '~x', `${'['.repeat(100_000)}`])
      expect(readEdn(text)).toBeUndefined();
  });
});

describe('declared', () => {
  it('reads paths, libraries, local roots and other dependencies from deps.edn', () => {
    const text = `{:paths ["src" :main "gen"]
      :deps {org.clojure/data.json {:mvn/version "2.4.0"} hiccup {:mvn/version "1.0"}
             a/b$aot {:mvn/version "3"} here/it {:local/root "../it"} io.x/y {:git/sha "1"}}
      :aliases {:dev {:extra-paths ["dev"]}}}`;
    expect(declared('deps.edn', text)).toEqual({
      paths: ['src', 'gen'],
      libraries: [
        { group: 'org.clojure', artifact: 'data.json', version: '2.4.0' },
        { group: 'hiccup', artifact: 'hiccup', version: '1.0' },
        { group: 'a', artifact: 'b', version: '3' },
      ],
      roots: ['../it'],
      others: ['io.x/y (from git)'],
    });
    expect(declared('deps.edn', '{}')).toMatchObject({ paths: ['src'] });
    expect(declared('deps.edn', '[]')).toBeNull();
    expect(declared('bb.edn', '{:deps {a {:mvn/version "1"}}}')).toMatchObject({ paths: [] });
  });

  it('reads vectors of libraries from project.clj and shadow-cljs.edn', () => {
    const library = { group: 'org.clojure', artifact: 'clojure', version: '1.11.1' };
    const project =
      '(defproject a/b "1" :dependencies [[org.clojure/clojure "1.11.1" :exclusions [x]]] :source-paths ["s"])';
    expect(declared('project.clj', project)).toMatchObject({ paths: ['s'], libraries: [library] });
    const shadow = '{:source-paths ["src/cljs"] :dependencies [[org.clojure/clojure "1.11.1"]] :builds {}}';
    expect(declared('shadow-cljs.edn', shadow)).toMatchObject({ paths: ['src/cljs'], libraries: [library] });
    expect(declared('project.clj', '(def x 1)')).toBeNull();
    expect(declared('project.clj', '(defproject a "1" :x ~(slurp "y"))')).toBeNull();
  });
});

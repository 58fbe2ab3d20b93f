// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs of other languages
import type { Sample } from './sample.ts';

const PYTEST = (fn: string, cases: string): string =>
  `from till.${fn} import ${fn}\n\n\ndef test_${fn}():\n${cases}`;
const UNITTEST = (fn: string, cases: string): string =>
  `import unittest\n\nfrom till.${fn} import ${fn}\n\n\nclass ${fn.toUpperCase()}(unittest.TestCase):\n    def test_${fn}(self):\n${cases}`;
const plain = (fn: string, ...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([a, b]) => `    assert ${fn}(${a}) == ${b}\n`).join('');
const unit = (fn: string, ...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([a, b]) => `        self.assertEqual(${fn}(${a}), ${b})\n`).join('');
const NEXT = [
  [1, 2],
  [41, 42],
] as const;
const DOUBLE = [
  [2, 4],
  [7, 14],
  [-3, -6],
] as const;

function makePython(
  name: string,
  more: Readonly<Record<string, string>>,
  shape: Partial<Sample> & {
    readonly src?: string;
    readonly isUnit?: boolean;
    readonly isPackage?: boolean;
  } = {},
): Sample {
  const { src = '', isUnit = false, isPackage = true, ...rest } = shape;
  const [render, check] = isUnit ? [UNITTEST, unit] : [PYTEST, plain];
  return {
    name,
    needs: [isUnit ? 'python3 --version' : 'python3 -m pytest --version'],
    files: {
      [`${src}till/__init__.py`]: '',
      [`${src}till/next.py`]: 'def next(value):\n    return value + 1\n',
      ...(isPackage ? { 'tests/__init__.py': '' } : {}),
      'tests/test_next.py': render('next', check('next', ...NEXT)),
      '.gitignore': '__pycache__/\n.tox/\n.nox/\n',
      ...more,
    },
    test: ['tests/test_double.py', render('double', check('double', ...DOUBLE))],
    work: { [`${src}till/double.py`]: 'def double(value):\n    return value * 2\n' },
    ...rest,
  };
}

const PROJECT = '[project]\nname = "till"\nversion = "1"\n';
const DEBIAN = ['/usr/bin'];

/** Tests that pass only in the environment that the tool's settings make. */
const ONLY_WITH_TILL = {
  'tests/test_next.py': UNITTEST(
    'next',
    `${unit('next', ...NEXT)}        self.assertEqual(os.environ["TILL"], "1")\n`,
  ).replace('import unittest', 'import os\nimport unittest'),
};

const PYTHON: readonly Sample[] = [
  makePython('pytest', {
    'pyproject.toml': `${PROJECT}[project.optional-dependencies]\ntest = ["pytest"]\n`,
  }),
  makePython('pytest-src', { 'pyproject.toml': PROJECT, 'setup.cfg': '[tool:pytest]\n' }, { src: 'src/' }),
  makePython(
    'unittest',
    { 'setup.py': 'from setuptools import setup\nsetup(name="till")\n' },
    { isUnit: true },
  ),
  makePython('unittest-folder', { 'pyproject.toml': PROJECT }, { isUnit: true, isPackage: false }),
  makePython('python-bare', {}, { isUnit: true }),
  makePython(
    'nose2',
    { 'unittest.cfg': '[unittest]\nstart-dir = tests\ntest-file-pattern = test_*.py\n' },
    {
      ...{ isUnit: true, path: DEBIAN, needs: ['/usr/bin/python3 -c "import nose2"'] },
    },
  ),
  makePython(
    'tox',
    {
      'tox.ini': '[tox]\nskipsdist = true\n[testenv]\nsetenv = TILL = 1\ncommands = python -m unittest\n',
      ...ONLY_WITH_TILL,
    },
    { isUnit: true, path: DEBIAN, needs: ['/usr/bin/tox --version'] },
  ),
  makePython(
    'nox',
    {
      'noxfile.py':
        'import nox\n\n\n@nox.session(venv_backend="none")\ndef tests(session):\n    session.run("python3", "-m", "unittest", env={"TILL": "1"})\n',
      ...ONLY_WITH_TILL,
    },
    { isUnit: true, path: DEBIAN, needs: ['/usr/bin/nox --version'] },
  ),
  makePython(
    'poetry',
    {
      'pyproject.toml':
        '[tool.poetry]\nname = "till"\nversion = "1"\ndescription = ""\nauthors = []\n[tool.poetry.dependencies]\npython = "*"\n',
      'poetry.lock': '',
    },
    { isUnit: true, needs: ['poetry --version'] },
  ),
  makePython(
    'uv',
    { 'pyproject.toml': `${PROJECT}requires-python = ">=3.8"\n[tool.uv]\n` },
    { isUnit: true, needs: ['uv --version'] },
  ),
  makePython(
    'hatch',
    { 'pyproject.toml': `${PROJECT}[tool.hatch.envs.default.scripts]\ntest = "python -m unittest"\n` },
    { isUnit: true, needs: ['hatch --version'] },
  ),
];

const OTHERS: readonly Sample[] = [
  {
    name: 'go',
    needs: ['go version'],
    files: {
      'go.mod': 'module example.com/till\n\ngo 1.19\n',
      'next.go': 'package till\n\n// Next is one more.\nfunc Next(value int) int {\n\treturn value + 1\n}\n',
      'next_test.go':
        'package till\n\nimport "testing"\n\nfunc TestNext(t *testing.T) {\n\tif Next(1) != 2 {\n\t\tt.Fatal("not 2")\n\t}\n}\n',
    },
    test: [
      'double_test.go',
      'package till\n\nimport "testing"\n\nfunc TestDouble(t *testing.T) {\n\tif got := Double(2); got != 4 {\n\t\tt.Fatalf("got %d", got)\n\t}\n\tif got := Double(-3); got != -6 {\n\t\tt.Fatalf("got %d", got)\n\t}\n}\n',
    ],
    work: {
      'double.go':
        'package till\n\n// Double is twice as much.\nfunc Double(value int) int {\n\treturn value * 2\n}\n',
    },
  },
  {
    name: 'cargo',
    needs: ['cargo --version'],
    files: {
      'Cargo.toml': '[package]\nname = "till"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "till"\nversion = "0.1.0"\n',
      'src/lib.rs': 'pub fn next(value: i64) -> i64 {\n    value + 1\n}\n',
      'tests/next.rs': '#[test]\nfn next() {\n    assert_eq!(till::next(1), 2);\n}\n',
      '.gitignore': 'target/\n',
    },
    test: [
      'tests/double.rs',
      '#[test]\nfn double() {\n    assert_eq!(till::double(2), 4);\n    assert_eq!(till::double(-3), -6);\n}\n',
    ],
    work: {
      'src/lib.rs':
        'pub fn next(value: i64) -> i64 {\n    value + 1\n}\n\npub fn double(value: i64) -> i64 {\n    value * 2\n}\n',
    },
  },
  {
    name: 'make',
    needs: ['make --version'],
    files: {
      Makefile: 'test:\n\tfor f in test/*.sh; do sh $$f || exit 1; done\n\n.PHONY: test\n',
      'bin/next.sh': 'echo $(($1 + 1))\n',
      'test/next.sh': 'test "$(sh bin/next.sh 1)" = 2\n',
    },
    test: ['test/double.sh', 'test "$(sh bin/double.sh 2)" = 4 && test "$(sh bin/double.sh 7)" = 14\n'],
    work: { 'bin/double.sh': 'echo $(($1 * 2))\n' },
  },
  {
    name: 'script',
    needs: ['bash --version'],
    files: {
      'run-tests.sh': 'set -e\nfor f in test/*.sh; do sh "$f"; done\n',
      'bin/next.sh': 'echo $(($1 + 1))\n',
      'test/next.sh': 'test "$(sh bin/next.sh 1)" = 2\n',
    },
    test: ['test/double.sh', 'test "$(sh bin/double.sh 2)" = 4 && test "$(sh bin/double.sh 7)" = 14\n'],
    work: { 'bin/double.sh': 'echo $(($1 * 2))\n' },
  },
  {
    name: 'pipeline-tests',
    needs: ['bash --version'],
    files: {
      '.github/workflows/ci.yml':
        'on: push\njobs:\n  all:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: sh ./verify-all tests\n',
      'verify-all': 'set -e\nfor f in "$1"/*.sh; do sh "$f"; done\n',
      'bin/next.sh': 'echo $(($1 + 1))\n',
      'tests/next.sh': 'test "$(sh bin/next.sh 1)" = 2\n',
    },
    test: ['tests/double.sh', 'test "$(sh bin/double.sh 2)" = 4 && test "$(sh bin/double.sh 7)" = 14\n'],
    work: { 'bin/double.sh': 'echo $(($1 * 2))\n' },
  },
  {
    name: 'ctest',
    needs: ['cmake --version', 'ctest --version', 'cc --version'],
    files: {
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.10)\nproject(till C)\nenable_testing()\nfile(GLOB sources src/*.c)\nadd_library(till ${sources})\ntarget_include_directories(till PUBLIC src)\nfile(GLOB tests test/*.c)\nforeach(path ${tests})\n  get_filename_component(name ${path} NAME_WE)\n  add_executable(test_${name} ${path})\n  target_link_libraries(test_${name} till)\n  add_test(NAME ${name} COMMAND test_${name})\nendforeach()\n',
      'src/till.h': 'int next(int value);\nint twice(int value);\n',
      'src/next.c': '#include "till.h"\n\nint next(int value) { return value + 1; }\n',
      'src/twice.c': '#include "till.h"\n\nint twice(int value) { return value; }\n',
      'test/next.c': '#include "till.h"\n\nint main(void) { return next(1) == 2 ? 0 : 1; }\n',
      '.gitignore': 'build/\n',
    },
    test: [
      'test/twice.c',
      '#include "till.h"\n\nint main(void) { return twice(2) == 4 && twice(-3) == -6 ? 0 : 1; }\n',
    ],
    work: { 'src/twice.c': '#include "till.h"\n\nint twice(int value) { return value * 2; }\n' },
  },
  {
    name: 'maven',
    needs: ['mvn --version', 'ls ~/.m2/repository/org/apache/maven/surefire/surefire-junit4'],
    files: {
      'pom.xml':
        '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>org.example</groupId>\n  <artifactId>till</artifactId>\n  <version>1</version>\n  <properties>\n    <maven.compiler.source>17</maven.compiler.source>\n    <maven.compiler.target>17</maven.compiler.target>\n    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  <dependencies>\n    <dependency>\n      <groupId>junit</groupId>\n      <artifactId>junit</artifactId>\n      <version>4.13.2</version>\n      <scope>test</scope>\n    </dependency>\n  </dependencies>\n</project>\n',
      'src/main/java/org/example/Till.java':
        'package org.example;\n\npublic class Till {\n    public static int next(int value) {\n        return value + 1;\n    }\n\n    public static int twice(int value) {\n        return value;\n    }\n}\n',
      'src/test/java/org/example/NextTest.java':
        'package org.example;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class NextTest {\n    @Test\n    public void next() {\n        assertEquals(2, Till.next(1));\n    }\n}\n',
      '.gitignore': 'target/\n',
    },
    test: [
      'src/test/java/org/example/TwiceTest.java',
      'package org.example;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class TwiceTest {\n    @Test\n    public void twice() {\n        assertEquals(4, Till.twice(2));\n        assertEquals(-6, Till.twice(-3));\n    }\n}\n',
    ],
    work: {
      'src/main/java/org/example/Till.java':
        'package org.example;\n\npublic class Till {\n    public static int next(int value) {\n        return value + 1;\n    }\n\n    public static int twice(int value) {\n        return value * 2;\n    }\n}\n',
    },
  },
  {
    name: 'phpunit',
    needs: ['phpunit --version'],
    files: {
      'phpunit.xml':
        '<phpunit bootstrap="src/next.php"><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
      'src/next.php': '<?php\n\nfunction next_one(int $value): int\n{\n    return $value + 1;\n}\n',
      'tests/NextTest.php':
        '<?php\n\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class NextTest extends TestCase\n{\n    public function testNext(): void\n    {\n        $this->assertSame(2, next_one(1));\n    }\n}\n',
      '.gitignore': '.phpunit.result.cache\n',
    },
    test: [
      'tests/TwiceTest.php',
      "<?php\n\nuse PHPUnit\\Framework\\TestCase;\n\nfinal class TwiceTest extends TestCase\n{\n    public function testTwice(): void\n    {\n        require_once __DIR__ . '/../src/twice.php';\n        $this->assertSame(4, twice(2));\n        $this->assertSame(-6, twice(-3));\n    }\n}\n",
    ],
    work: { 'src/twice.php': '<?php\n\nfunction twice(int $value): int\n{\n    return $value * 2;\n}\n' },
  },
  {
    name: 'rspec',
    needs: ['rspec --version'],
    files: {
      '.rspec': '--format documentation\n',
      'lib/next.rb': 'def next_one(value)\n  value + 1\nend\n',
      'spec/next_spec.rb':
        "require_relative '../lib/next'\n\nRSpec.describe 'next' do\n  it('adds one') { expect(next_one(1)).to eq(2) }\nend\n",
    },
    test: [
      'spec/twice_spec.rb',
      "require_relative '../lib/twice'\n\nRSpec.describe 'twice' do\n  it('is twice as much') { expect([twice(2), twice(-3)]).to eq([4, -6]) }\nend\n",
    ],
    work: { 'lib/twice.rb': 'def twice(value)\n  value * 2\nend\n' },
  },
  {
    name: 'rake',
    needs: ['rake --version', 'ruby -e "require \'minitest\'"'],
    files: {
      Rakefile: "require 'rake/testtask'\n\nRake::TestTask.new { |task| task.pattern = 'test/*_test.rb' }\n",
      'lib/next.rb': 'def next_one(value)\n  value + 1\nend\n',
      'test/next_test.rb':
        "require 'minitest/autorun'\nrequire 'next'\n\nclass NextTest < Minitest::Test\n  def test_next\n    assert_equal 2, next_one(1)\n  end\nend\n",
    },
    test: [
      'test/double_test.rb',
      "require 'minitest/autorun'\nrequire 'double'\n\nclass DoubleTest < Minitest::Test\n  def test_double\n    assert_equal 4, double(2)\n    assert_equal(-6, double(-3))\n  end\nend\n",
    ],
    work: { 'lib/double.rb': 'def double(value)\n  value * 2\nend\n' },
  },
  {
    name: 'mix',
    needs: ['mix --version'],
    files: {
      'mix.exs':
        'defmodule Till.MixProject do\n  use Mix.Project\n\n  def project do\n    [app: :till, version: "0.1.0", elixir: "~> 1.10"]\n  end\nend\n',
      'lib/next.ex': 'defmodule Next do\n  def next(value), do: value + 1\nend\n',
      'test/test_helper.exs': 'ExUnit.start()\n',
      'test/next_test.exs':
        'defmodule NextTest do\n  use ExUnit.Case\n\n  test "adds one" do\n    assert Next.next(1) == 2\n  end\nend\n',
      '.gitignore': '_build/\n',
    },
    test: [
      'test/double_test.exs',
      'defmodule DoubleTest do\n  use ExUnit.Case\n\n  test "is twice as much" do\n    assert Double.double(2) == 4\n    assert Double.double(-3) == -6\n  end\nend\n',
    ],
    work: { 'lib/double.ex': 'defmodule Double do\n  def double(value), do: value * 2\nend\n' },
  },
  {
    name: 'gradle',
    needs: ['gradle --version'],
    files: { 'build.gradle': "plugins { id 'java' }\n" },
    test: ['src/test/java/DoubleTest.java', ''],
    work: {},
  },
  {
    name: 'dotnet',
    needs: ['dotnet --version'],
    files: { 'Till.csproj': '<Project Sdk="Microsoft.NET.Sdk" />\n' },
    test: ['DoubleTest.cs', ''],
    work: {},
  },
];

/** Every language but JavaScript. */
export const OTHER_SAMPLES: readonly Sample[] = [...PYTHON, ...OTHERS];

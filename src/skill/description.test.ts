import { describe, expect, it } from 'vitest';
import { firstParagraph, withoutComments } from './parse-head.ts';

describe('withoutComments', () => {
  it.each([
    [' a ', 'a'],
    ['a <!-- b --> c <!-- d -->', 'a  c'],
    ['<!-- b -->', ''],
    ['a <!-- open', 'a <!-- open'],
    ['<!-->a-->', ''],
  ])('%j -> %j', (text, expected) => {
    expect(withoutComments(text)).toBe(expected);
  });
});

describe('firstParagraph', () => {
  it.each([
    ['One\ntwo.\n\nThree.', 'One two.'],
    ['# T\n## U\nOne.', 'One.'],
    ['Title\n=====\n\nOne.', 'One.'],
    ['<!-- a\n\nb -->\nOne.', 'One.'],
    ['<!-- a --> One.', 'One.'],
    ['```\nif so\n```\n~~~~\n```\n~~~\n~~~~\nOne.', 'One.'],
    ['![a](b.png)\n[![a](b)](c) [![d](e)](f)\n<img src="x">\n\nOne.', 'One.'],
    ['| a | b |\n|---|---|\n\nOne.', 'One.'],
    ['---\n***\n<p align="center">\n</p>\nOne.', 'One.'],
    ['> One\n> two.\n', 'One two.'],
    ['- a\n- b\n\nOne.', 'One.'],
    ['One:\n- a', 'One:'],
    ['# T\n- **a** b\n', '**a** b'],
    ['# Only this #\n', 'Only this'],
    ['```\ncode', null],
    ['<!-- open', null],
    [' \r\n\r\nOne\r\ntwo.\r\n', 'One two.'],
    ['x'.repeat(3000), 'x'.repeat(1024)],
    ['🌊'.repeat(1100), '🌊'.repeat(1024)],
  ])('of %j', (text, expected) => {
    expect(firstParagraph(text, 0, true)).toEqual({ text: expected });
  });

  it.each([
    ['One', 'more'],
    ['One.\n', 'more'],
    ['One.\n\n', { text: 'One.' }],
    ['# T\n', 'more'],
    ['<!-- a\n', 'more'],
    ['- a\n', 'more'],
  ])('waits for the end of the paragraph in a head: %j', (text, expected) => {
    expect(firstParagraph(text, 0, false)).toEqual(expected);
  });
});
